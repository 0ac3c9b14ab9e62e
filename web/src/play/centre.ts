/** Keeps the current entry of a list of moves in sight. */

/** Scroll the list, never the page, to an entry with the next frame; return what cancels it. */
export function centreEntry(list: HTMLElement, selector: string): () => void {
  // To ask for positions before the frame would force a layout of its own.
  const frame = requestAnimationFrame(() => {
    const entry = list.querySelector<HTMLElement>(selector);
    list.scrollTop = entry ? Math.max(0, entry.offsetTop - list.offsetTop - list.clientHeight / 2) : 0;
  });
  return () => cancelAnimationFrame(frame);
}
