/** The lobby's feed: open challenges, live games and the player's own tables. */

import { listen } from './feed';
import type { Lobby } from './types';

export class LobbyFeed {
  lobby = $state.raw<Lobby | null>(null);
  private stop: (() => void) | undefined;

  open(): void {
    this.stop = listen<{ type: string } & Lobby>('/ws/lobby', (message) => {
      if (message.type === 'lobby') this.lobby = message;
    });
  }

  close(): void {
    this.stop?.();
  }
}
