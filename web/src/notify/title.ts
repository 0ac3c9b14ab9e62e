/** The number of unread notifications before the title of the page: "(2) TAIJI". */

const BADGE = /^\(\d+\) /;

let count = 0;
let watching = false;

function apply(): void {
  const plain = document.title.replace(BADGE, '');
  const wanted = count ? `(${count}) ${plain}` : plain;
  if (document.title !== wanted) document.title = wanted;
}

/** Show a number in the title, whatever screen sets the rest of it. */
export function showCount(unread: number): void {
  count = unread;
  if (!watching) {
    watching = true;
    new MutationObserver(apply).observe(document.head, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  }
  apply();
  const { setAppBadge } = navigator as Navigator & { setAppBadge?: (count: number) => Promise<void> };
  void setAppBadge?.call(navigator, unread).catch(() => undefined);
}
