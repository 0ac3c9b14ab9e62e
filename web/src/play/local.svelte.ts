/** A game of two people on one screen, kept in this browser. */

import { gameOf } from '../lib/games';
import { load, save } from '../lib/store';
import { play } from '../lib/sounds';
import { matchTotals, matchWinner } from '../rules/match';
import type { Move } from '../rules/game';
import type { Scores } from '../rules/state';
import type { Seat } from '../rules/value';
import { Line } from './line.svelte';

interface Kept {
  game: string;
  moves: number[];
  match: boolean;
  /** The scores of the games of the match that are over, by seat. */
  games: Scores[];
  resigned: Seat | null;
}

const KEY = 'one-screen';

export function keptGame(): string | null {
  return load<Kept | null>(KEY, null)?.game ?? null;
}

export class LocalTable {
  resigned = $state<Seat | null>(null);
  match = $state(false);
  games = $state.raw<readonly Scores[]>([]);

  private constructor(
    readonly text: string,
    readonly line: Line,
  ) {}

  static async start(text: string, match: boolean): Promise<LocalTable> {
    const table = new LocalTable(text, new Line(await gameOf(text)));
    table.match = match;
    table.keep();
    return table;
  }

  /** The game that was left here, if there is one and it can still be read. */
  static async resume(): Promise<LocalTable | null> {
    const kept = load<Kept | null>(KEY, null);
    if (!kept) return null;
    const game = await gameOf(kept.game);
    const line = new Line(game);
    try {
      line.set(kept.moves);
    } catch {
      // What was kept is not of this version of the game: begin anew.
    }
    const table = new LocalTable(kept.game, line);
    table.match = kept.match;
    table.games = kept.games;
    table.resigned = kept.resigned;
    return table;
  }

  get over(): boolean {
    return this.resigned !== null || this.line.latest.over;
  }

  get winner(): Seat | null {
    if (this.resigned !== null) return (1 - this.resigned) as Seat;
    return this.line.latest.outcome()?.winner ?? null;
  }

  /** Which game of the match this is, 0 or 1. */
  get number(): number {
    return this.games.length;
  }

  /** The player, 0 or 1, on a seat of this game. */
  playerOn(seat: Seat): 0 | 1 {
    return (this.match ? seat ^ this.number : seat) as 0 | 1;
  }

  get totals(): [number, number] {
    return matchTotals([...this.games, this.line.latest.scores()]);
  }

  /** The player who won the match, null for a drawn one, undefined while it goes on. */
  get matchResult(): 0 | 1 | null | undefined {
    if (!this.match || !this.over) return undefined;
    // As online: giving up a game gives up the match, else an early end would save points.
    if (this.resigned !== null) return this.playerOn((1 - this.resigned) as Seat);
    if (this.number === 0) return undefined;
    return matchWinner(this.line.game.value.rule, this.totals);
  }

  play(move: Move): void {
    this.line.add(move);
    play(this.line.latest.over ? 'end' : 'place');
    this.keep();
  }

  takeBack(): void {
    this.resigned = null;
    this.line.cut(Math.max(0, this.line.moves.length - 1));
    this.keep();
  }

  resign(): void {
    this.resigned = this.line.latest.mover;
    play('end');
    this.keep();
  }

  /** Begin the second game of the match, or a new game or match. */
  again(): void {
    const second = this.match && this.number === 0 && this.resigned === null;
    this.games = second ? [this.line.latest.scores()] : [];
    this.resigned = null;
    this.line.cut(0);
    this.line.show(0);
    this.keep();
  }

  private keep(): void {
    const kept: Kept = {
      game: this.text,
      moves: this.line.moves.map((move) => move.number),
      match: this.match,
      games: [...this.games],
      resigned: this.resigned,
    };
    save(KEY, kept);
  }
}
