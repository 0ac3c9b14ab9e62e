/** The lobby: open challenges, games being played and one's own, kept up to date. */

import type { Lobby } from './types';

export class LobbyFeed {
  lobby = $state.raw<Lobby | null>(null);
  private socket: WebSocket | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;
  private wait = 500;

  open(): void {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/ws/lobby`);
    this.socket = socket;
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data as string) as { type: string; n?: number } & Lobby;
      this.wait = 500;
      if (message.type === 'ping') socket.send(JSON.stringify({ type: 'pong', n: message.n }));
      if (message.type === 'lobby') this.lobby = message;
    };
    socket.onclose = () => {
      if (this.closed) return;
      this.timer = setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(this.wait * 2, 8000);
    };
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }
}
