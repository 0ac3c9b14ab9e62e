/** A minimal router over the browser's history. In a static build the path of a screen is the hash of the URL. */

import { HAS_SERVER } from './build';

export interface Route {
  /** First part of the path: `''` for the home page, else `game`, `learn`, … */
  screen: string;
  /** Remaining parts of the path. */
  parts: string[];
  query: URLSearchParams;
}

/** The link to a path that is computed; the static build writes the literal ones of components so. */
export function linkTo(path: string): string {
  return HAS_SERVER ? path : `#${path}`;
}

/** The whole URL of a screen's path, to be copied. */
export function pageUrl(path: string): string {
  return HAS_SERVER ? location.origin + path : `${location.href.split('#')[0]}#${path}`;
}

function current(): Route {
  const [path, query] = HAS_SERVER
    ? [location.pathname, location.search]
    : location.hash.slice(1).split(/(?=\?)/);
  const [screen = '', ...parts] = path.split('/').filter(Boolean).map(decodeURIComponent);
  return { screen, parts, query: new URLSearchParams(query) };
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
    const url = linkTo(path);
    if (replace) history.replaceState(null, '', url);
    else history.pushState(null, '', url);
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
    if (HAS_SERVER) {
      if (link.pathname.startsWith('/api/') || (link.hash && link.pathname === location.pathname)) return;
      event.preventDefault();
      this.go(link.pathname + link.search + link.hash);
    } else if (link.hash && link.pathname === location.pathname) {
      event.preventDefault();
      // Any other hash is an element of the page.
      if (link.hash.startsWith('#/')) this.go(link.hash.slice(1));
      else document.getElementById(link.hash.slice(1))?.focus();
    }
  }
}

export const router = new Router();
export const go = (path: string, options?: { replace?: boolean }) => router.go(path, options);
