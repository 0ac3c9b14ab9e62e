/** The coach at a table: it accompanies a beginner's first game against the computer. */

import type { OnlineGame } from '../play/onlineGame.svelte';
import { knowsGame, MAX_COACHED_LEVEL, rememberGame } from './coached';
import { coachNote, type CoachNote } from './steps';

export class Coach {
  private stopped = $state(false);
  /** Whether the player knew the game when the table was opened. */
  private known: boolean | null = null;

  constructor(private readonly table: OnlineGame) {}

  get note(): CoachNote | null {
    const { history, you } = this.table;
    if (!history?.live || you === null || !this.isCoached()) return null;
    return coachNote(history.states, history.moves, you);
  }

  /** Whether the coach may still speak in this game. */
  get present(): boolean {
    return this.table.you !== null && this.isCoached();
  }

  /** Be silent from now on; the player knows the game. */
  stop(): void {
    this.remember();
    this.stopped = true;
  }

  /** Be silent in later games. */
  remember(): void {
    if (this.table.info) rememberGame(this.table.info.game);
  }

  private isCoached(): boolean {
    const { info } = this.table;
    if (this.stopped || info?.opponent !== 'computer') return false;
    this.known ??= knowsGame(info.game);
    return this.table.level <= MAX_COACHED_LEVEL && !this.known;
  }
}
