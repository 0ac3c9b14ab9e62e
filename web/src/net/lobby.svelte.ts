/** The lobby's feed: the player's own tables, open challenges, live games, results and who is online. */

import { listen } from './feed';
import type { Lobby } from './types';

export class LobbyFeed {
  lobby = $state.raw<Lobby | null>(null);
  /** By how much the server's clock is ahead of this one, in milliseconds. */
  offset = $state(0);
  /** Whether there is no connection to the server at the moment. */
  lost = $state(false);
  private stop: (() => void) | undefined;

  open(): void {
    this.stop = listen<{ type: string } & Lobby>(
      '/ws/lobby',
      (message) => {
        if (message.type !== 'lobby') return;
        this.lost = false;
        this.offset = message.now - Date.now();
        this.lobby = message;
      },
      undefined,
      () => (this.lost = true),
    );
  }

  close(): void {
    this.stop?.();
  }
}
