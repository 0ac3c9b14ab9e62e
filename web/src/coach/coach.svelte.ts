/** The coach of a game: it accompanies a beginner's first game against the computer. */

import type { PlayedGame } from '../play/playedGame.svelte';
import { knowsGame, MAX_COACHED_LEVEL, rememberGame } from './coached';
import { coachNote, type CoachNote } from './steps';

export class Coach {
  private stopped = $state(false);
  /** Whether the player knew the game when it was opened. */
  private known: boolean | null = null;

  constructor(private readonly game: PlayedGame) {}

  get note(): CoachNote | null {
    const { history, you, over } = this.game;
    if (!history?.live || you === null || !this.isCoached()) return null;
    // A game that was given up needs no more words.
    if (over && !history.latest.isOver) return null;
    return coachNote(history.states, history.moves, you);
  }

  /** Whether the coach may still speak in this game. */
  get present(): boolean {
    return this.game.you !== null && this.isCoached();
  }

  /** Be silent from now on; the player knows the game. */
  stop(): void {
    this.remember();
    this.stopped = true;
  }

  /** Be silent in later games. */
  remember(): void {
    if (this.game.history) rememberGame(this.game.history.game.name);
  }

  private isCoached(): boolean {
    const { history, level } = this.game;
    if (this.stopped || !history || !level) return false;
    this.known ??= knowsGame(history.game.name);
    return level <= MAX_COACHED_LEVEL && !this.known;
  }
}
