/** A WebSocket that only listens and comes back by itself. */

const NOT_FOUND = 4404;

/** Listen at a path until the returned function is called; `gone` is told where there is nothing to hear. */
export function listen<T extends { type: string }>(path: string, receive: (message: T) => void, gone?: () => void): () => void {
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
        gone?.();
        return;
      }
      timer = setTimeout(open, wait);
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
