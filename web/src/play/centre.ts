/** Keeps the current entry of a list of moves in sight. */

/** Scroll the list, never the page, to an entry with the next frame, and again when fonts arrive; return what ends that. */
export function centreEntry(list: HTMLElement, selector: string): () => void {
  const centre = () => {
    const [inner, outer] = [list.querySelector(selector), list].map((one) => one?.getBoundingClientRect());
    const below = inner && outer ? inner.top + inner.height / 2 - outer.top - outer.height / 2 : -Infinity;
    list.scrollTop = Math.max(0, list.scrollTop + below);
  };
  // To ask for positions before the frame would force a layout of its own.
  const frame = requestAnimationFrame(centre);
  // Their lines have other heights.
  document.fonts.addEventListener('loadingdone', centre);
  return () => {
    cancelAnimationFrame(frame);
    document.fonts.removeEventListener('loadingdone', centre);
  };
}
