/** A minimal router over the browser's history. */

export interface Route {
  /** First part of the path: `''` for the home page, else `game`, `learn`, … */
  screen: string;
  /** Remaining parts of the path. */
  parts: string[];
  query: URLSearchParams;
}

function current(): Route {
  const [screen = '', ...parts] = location.pathname.split('/').filter(Boolean).map(decodeURIComponent);
  return { screen, parts, query: new URLSearchParams(location.search) };
}

class Router {
  route = $state.raw<Route>(current());

  /** Follow the URL and the page's links until the returned function is called. */
  start(): () => void {
    const follow = () => this.update();
    const click = (event: MouseEvent) => this.click(event);
    addEventListener('popstate', follow);
    document.addEventListener('click', click);
    return () => {
      removeEventListener('popstate', follow);
      document.removeEventListener('click', click);
    };
  }

  go(path: string, { replace = false } = {}): void {
    if (replace) history.replaceState(null, '', path);
    else history.pushState(null, '', path);
    this.update();
    scrollTo(0, 0);
    // Screen readers and the Tab key continue from the new page, not from the link.
    document.getElementById('main')?.focus({ preventScroll: true });
  }

  private update(): void {
    this.route = current();
  }

  private click(event: MouseEvent): void {
    if (
      event.defaultPrevented ||
      event.button ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = (event.target as Element | null)?.closest?.('a');
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (link.pathname.startsWith('/api/')) return;
    if (link.hash && link.pathname === location.pathname) return;
    event.preventDefault();
    this.go(link.pathname + link.search + link.hash);
  }
}

export const router = new Router();
export const go = (path: string, options?: { replace?: boolean }) => router.go(path, options);
