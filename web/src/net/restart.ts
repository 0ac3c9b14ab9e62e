/** When a server restarts, its sockets connect again at once, spread so that they do not all come together. */

/** The close code of a server that stops for another. */
export const RESTARTED = 1012;

const SPREAD_MS = 400;

/** Milliseconds until the first new connection. */
export const restartWait = (): number => Math.random() * SPREAD_MS;
