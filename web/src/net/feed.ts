/** A receive-only WebSocket that reconnects. */

import { RESTARTED, restartWait } from './restart';

const NOT_FOUND = 4404;

/**
 * Receive messages until the returned function is called; call `onNotFound` if the path does not exist, and
 * `onLost` whenever there is no connection, before the next attempt.
 */
export function listen<T extends { type: string }>(
  path: string,
  receive: (message: T) => void,
  onNotFound?: () => void,
  onLost?: () => void,
): () => void {
  let socket: WebSocket;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;
  let wait = 500;

  function open(): void {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    socket = new WebSocket(`${scheme}://${location.host}${path}`);
    socket.onmessage = ({ data }) => {
      wait = 500;
      receive(JSON.parse(data as string) as T);
    };
    socket.onclose = ({ code }) => {
      if (closed) return;
      if (code === NOT_FOUND) {
        onNotFound?.();
        return;
      }
      onLost?.();
      timer = setTimeout(open, code === RESTARTED ? restartWait() : wait);
      wait = Math.min(wait * 2, 8000);
    };
  }

  open();
  return () => {
    closed = true;
    clearTimeout(timer);
    socket.close();
  };
}
