/** A game of two people on the same device, saved in this browser. */

import { loadGame } from '../lib/games';
import { load, save as store } from '../lib/localStore';
import { play } from '../lib/sounds';
import { matchTotals, matchWinner } from '../rules/match';
import type { Move } from '../rules/game';
import type { Scores } from '../rules/state';
import type { Seat } from '../rules/definition';
import { MoveHistory } from './moveHistory.svelte';

interface SavedGame {
  game: string;
  moves: number[];
  match: boolean;
  /** Scores of the finished games of the match, by seat. */
  games: Scores[];
  resigned: Seat | null;
}

const KEY = 'one-screen';

export function savedGame(): string | null {
  return load<SavedGame | null>(KEY, null)?.game ?? null;
}

export class LocalGame {
  resigned = $state<Seat | null>(null);
  match = $state(false);
  games = $state.raw<readonly Scores[]>([]);

  private constructor(
    readonly text: string,
    readonly history: MoveHistory,
  ) {}

  static async start(text: string, match: boolean): Promise<LocalGame> {
    const game = new LocalGame(text, new MoveHistory(await loadGame(text)));
    game.match = match;
    game.save();
    return game;
  }

  /** Load the saved game; null if there is none. */
  static async resume(): Promise<LocalGame | null> {
    const saved = load<SavedGame | null>(KEY, null);
    if (!saved) return null;
    const history = new MoveHistory(await loadGame(saved.game));
    try {
      history.set(saved.moves);
    } catch {
      // The saved moves belong to another version of the game: start again.
    }
    const game = new LocalGame(saved.game, history);
    game.match = saved.match;
    game.games = saved.games;
    game.resigned = saved.resigned;
    return game;
  }

  get isOver(): boolean {
    return this.resigned !== null || this.history.latest.isOver;
  }

  get winner(): Seat | null {
    if (this.resigned !== null) return (1 - this.resigned) as Seat;
    return this.history.latest.outcome()?.winner ?? null;
  }

  /** Which game of the match this is, 0 or 1. */
  get gameIndex(): number {
    return this.games.length;
  }

  /** The player, 0 or 1, on a seat of this game. */
  playerOn(seat: Seat): 0 | 1 {
    return (this.match ? seat ^ this.gameIndex : seat) as 0 | 1;
  }

  get totals(): [number, number] {
    return matchTotals([...this.games, this.history.latest.scores()]);
  }

  /** The player who won the match: null for a draw, undefined while it is in progress. */
  get matchResult(): 0 | 1 | null | undefined {
    if (!this.match || !this.isOver) return undefined;
    // As online, resigning a game loses the match; otherwise an early end would save points.
    if (this.resigned !== null) return this.playerOn((1 - this.resigned) as Seat);
    if (this.gameIndex === 0) return undefined;
    return matchWinner(this.history.game.definition.match_rule, this.totals);
  }

  play(move: Move): void {
    this.history.add(move);
    play(this.history.latest.isOver ? 'end' : 'place');
    this.save();
  }

  takeBack(): void {
    this.resigned = null;
    this.history.truncate(Math.max(0, this.history.moves.length - 1));
    this.save();
  }

  resign(): void {
    this.resigned = this.history.latest.seatToMove;
    play('end');
    this.save();
  }

  /** Start the second game of the match, or a new game or match. */
  playAgain(): void {
    const second = this.match && this.gameIndex === 0 && this.resigned === null;
    this.games = second ? [this.history.latest.scores()] : [];
    this.resigned = null;
    this.history.truncate(0);
    this.history.show(0);
    this.save();
  }

  private save(): void {
    const saved: SavedGame = {
      game: this.text,
      moves: this.history.moves.map((move) => move.action),
      match: this.match,
      games: [...this.games],
      resigned: this.resigned,
    };
    store(KEY, saved);
  }
}
