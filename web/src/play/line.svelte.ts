/** A game as it was played: its moves, the position after each, and the one that is looked at. */

import type { Game, Move } from '../rules/game';
import { State } from '../rules/state';

export class Line {
  moves = $state.raw<readonly Move[]>([]);
  states = $state.raw<readonly State[]>([]);
  /** How many plies are shown; null is the newest position. */
  private shown = $state<number | null>(null);

  constructor(
    readonly game: Game,
    numbers: readonly number[] = [],
  ) {
    this.states = [State.start(game)];
    this.set(numbers);
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

  /** The move that led to the position shown. */
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

  cut(plies: number): void {
    this.moves = this.moves.slice(0, plies);
    this.states = this.states.slice(0, plies + 1);
  }

  /** Make the game these moves, keeping what is the same. */
  set(numbers: readonly number[]): void {
    let same = 0;
    while (same < Math.min(numbers.length, this.moves.length) && this.moves[same].number === numbers[same]) same += 1;
    if (same < this.moves.length) this.cut(same);
    const moves = [...this.moves];
    const states = [...this.states];
    for (const number of numbers.slice(same)) {
      const move = this.game.move(number);
      if (!move) throw new Error(`no move ${number} in ${this.game.name}`);
      moves.push(move);
      states.push(states[states.length - 1].play(move));
    }
    if (moves.length !== this.moves.length) {
      this.moves = moves;
      this.states = states;
    }
  }
}
