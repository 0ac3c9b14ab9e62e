/** The moves of a game, the position after each, and the position shown. */

import type { Game, Move } from '../rules/game';
import { State } from '../rules/state';

/** A line of moves and the position of it that is shown. */
export interface ShownLine {
  readonly game: Game;
  readonly moves: readonly Move[];
  readonly states: readonly State[];
  readonly latest: State;
  readonly ply: number;
  readonly state: State;
  /** The move that led to the shown position. */
  readonly last: Move | null;
  /** Whether the last position is shown. */
  readonly live: boolean;
  show(ply: number): void;
}

export class MoveHistory implements ShownLine {
  moves = $state.raw<readonly Move[]>([]);
  states = $state.raw<readonly State[]>([]);
  /** The ply shown; null follows the latest position. */
  private shown = $state<number | null>(null);

  constructor(
    readonly game: Game,
    actions: readonly number[] = [],
  ) {
    this.states = [State.start(game)];
    this.set(actions);
  }

  get latest(): State {
    return this.states[this.states.length - 1];
  }

  get ply(): number {
    return this.shown === null ? this.moves.length : Math.min(this.shown, this.moves.length);
  }

  get state(): State {
    return this.states[this.ply];
  }

  /** The move that led to the shown position. */
  get last(): Move | null {
    return this.moves[this.ply - 1] ?? null;
  }

  get live(): boolean {
    return this.ply === this.moves.length;
  }

  show(ply: number): void {
    this.shown = ply >= this.moves.length ? null : Math.max(0, ply);
  }

  add(move: Move): void {
    this.states = [...this.states, this.latest.play(move)];
    this.moves = [...this.moves, move];
  }

  truncate(plies: number): void {
    this.moves = this.moves.slice(0, plies);
    this.states = this.states.slice(0, plies + 1);
  }

  /** Replace the moves; keep the common prefix. */
  set(actions: readonly number[]): void {
    let same = 0;
    while (same < Math.min(actions.length, this.moves.length) && this.moves[same].action === actions[same])
      same += 1;
    if (same < this.moves.length) this.truncate(same);
    const moves = [...this.moves];
    const states = [...this.states];
    for (const action of actions.slice(same)) {
      const move = this.game.move(action);
      if (!move) throw new Error(`no move ${action} in ${this.game.name}`);
      moves.push(move);
      states.push(states[states.length - 1].play(move));
    }
    if (moves.length !== this.moves.length) {
      this.moves = moves;
      this.states = states;
    }
  }
}
