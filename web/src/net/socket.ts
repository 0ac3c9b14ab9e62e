/** A table's WebSocket: reconnects and resends frames that were not acknowledged. */

import { newId } from '../lib/ids';
import { RESTARTED, restartWait } from './restart';
import type { ClientFrame, ServerMessage } from './types';

/** The messages for a table; the socket itself answers pings. */
export type TableMessage = Exclude<ServerMessage, { type: 'ping' }>;

/** A frame of the page; the socket adds its id. */
type Unsent<Frame> = Frame extends { id: string } ? Omit<Frame, 'id'> : never;

export interface Listener {
  message(message: TableMessage): void;
  connected(yes: boolean): void;
  onNotFound(code: number): void;
}

const BACKOFF_MS = [500, 1000, 2000, 4000, 8000];
const FINAL_CODES = [4403, 4404];
const SESSION_ENDED = 4401;
const RATE_LIMITED = 4429;

export class TableSocket {
  private socket: WebSocket | null = null;
  private tries = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;
  private readonly waiting = new Map<string, string>();
  /** The last version received; a new connection resumes from it. */
  version = 0;

  constructor(
    private readonly table: string,
    private readonly listener: Listener,
  ) {
    addEventListener('online', this.retry);
    this.open();
  }

  send(frame: Unsent<ClientFrame>): string {
    const id = newId();
    const text = JSON.stringify({ ...frame, id });
    this.waiting.set(id, text);
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
    return id;
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    removeEventListener('online', this.retry);
    this.socket?.close();
  }

  private readonly retry = (): void => {
    if (
      this.closed ||
      this.socket?.readyState === WebSocket.OPEN ||
      this.socket?.readyState === WebSocket.CONNECTING
    )
      return;
    this.tries = 0;
    clearTimeout(this.timer);
    this.open();
  };

  private open(): void {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const path = `/ws/tables/${encodeURIComponent(this.table)}?protocol=2&after=${this.version}`;
    const socket = new WebSocket(`${scheme}://${location.host}${path}`);
    this.socket = socket;
    socket.onopen = () => {
      this.tries = 0;
      this.listener.connected(true);
      for (const text of this.waiting.values()) socket.send(text);
    };
    socket.onmessage = ({ data }) => this.receive(JSON.parse(data as string) as ServerMessage);
    socket.onclose = ({ code }) => this.lost(code);
  }

  private receive(message: ServerMessage): void {
    if (message.type === 'ping') {
      this.socket?.send(JSON.stringify({ type: 'pong', n: message.n }));
      return;
    }
    if (message.type === 'ack' || (message.type === 'error' && message.id))
      this.waiting.delete(message.id as string);
    if (message.type === 'snapshot') this.version = message.table.version;
    if (message.type === 'event') {
      if (message.version <= this.version) return;
      this.version = message.version;
    }
    this.listener.message(message);
  }

  private lost(code: number): void {
    if (this.closed) return;
    // Another server, or the next one of this machine, goes on at once: that is not shown.
    if (code !== RESTARTED) this.listener.connected(false);
    if (FINAL_CODES.includes(code)) {
      this.closed = true;
      this.listener.onNotFound(code);
      return;
    }
    // Whoever this browser is now, the seat may be another.
    if (code === SESSION_ENDED) this.version = 0;
    this.timer = setTimeout(() => this.open(), this.wait(code));
  }

  private wait(code: number): number {
    if (code === RESTARTED) return restartWait();
    if (code === RATE_LIMITED) return 20_000;
    return BACKOFF_MS[Math.min(this.tries++, BACKOFF_MS.length - 1)];
  }
}
