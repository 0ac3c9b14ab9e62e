/** Whether this build talks to a server; a static build (`make static`) is a folder of files and has none. */
export const HAS_SERVER: boolean = import.meta.env.MODE !== 'static';

/** Whether this page is an embedded board, which neither reads nor keeps anything of the browser it is shown in. */
export const EMBEDDED: boolean =
  typeof document !== 'undefined' && document.documentElement.dataset.embed !== undefined;
