/** What the player is about to do: the piece in hand, how it is turned, and where it is held. */

import { oriented, type Placement } from '../rules/layout';
import type { State } from '../rules/state';
import type { PieceValue } from '../rules/value';
import { pairGhost, pairSteps, pieceGhost, type Ghost, type Step } from './ghost';

export class Aim {
  /** The cell under the pointer or the cursor, or -1. */
  cell = $state(-1);
  /** The cell on which the player's half of a pair has been put down, or -1. */
  pinned = $state(-1);
  /** Whether the player points at the square of the other half; then nothing better is looked for. */
  private pointed = $state(false);
  /** Whether the ghost stays where it is until it is placed or moved. */
  fixed = $state(false);
  /** Whether the arrow keys hold the piece. */
  byKeyboard = $state(false);
  turns = $state(0);
  flipped = $state(false);
  private chosen = $state(0);
  private readonly source: () => State;

  readonly steps: Step[] | null = $derived.by(() => pairSteps(this.state.rules));
  readonly ghost: Ghost | null = $derived.by(() => this.find());

  constructor(source: () => State) {
    this.source = source;
  }

  get state(): State {
    return this.source();
  }

  get pair(): boolean {
    return this.steps !== null;
  }

  /** The piece in hand, as an index into the stage's pieces; one whose supply is used up is never in hand. */
  get piece(): number {
    const { pieces } = this.state.rules;
    const left = (index: number) => this.state.supply[pieces[index]?.slot] > 0;
    if (left(this.chosen)) return this.chosen;
    const kind = pieces[this.chosen]?.kind;
    const same = pieces.findIndex((piece, index) => piece.kind === kind && left(index));
    return same >= 0 ? same : Math.max(0, pieces.findIndex((_, index) => left(index)));
  }

  choose(index: number): void {
    this.chosen = index;
  }

  /** Choose the next piece of a kind: its first face, or the face after the one in hand. */
  chooseKind(kind: string): void {
    const { pieces } = this.state.rules;
    const of = pieces.map((_, index) => index).filter((index) => pieces[index].kind === kind && this.state.supply[pieces[index].slot] > 0);
    if (!of.length) return;
    const at = of.indexOf(this.piece);
    this.choose(of[(at + 1) % of.length]);
  }

  turn(by = 1): void {
    if (this.steps) {
      const count = this.steps.length;
      const from = this.shownStep();
      this.pointed = false;
      for (let k = 1; k <= count; k++) {
        const next = (from + by * k + count * count) % count;
        if (k === count || this.pairAt(next)?.reason === null) {
          this.turns = next;
          return;
        }
      }
      return;
    }
    const piece = this.state.rules.pieces[this.piece];
    if (!piece?.turn) return;
    // Turning clockwise, as one sees it: the shapes' own turns go the other way round.
    const before = this.shapeKey(piece);
    for (let k = 0; k < 4; k++) {
      this.turns = (this.turns - by + 4) % 4;
      if (this.shapeKey(piece) !== before) return;
    }
  }

  flip(): void {
    if (this.pair || this.state.rules.pieces[this.piece]?.flip) this.flipped = !this.flipped;
  }

  /** Point the pair in hand from its pinned half towards a cell; tells whether that is a neighbour. */
  pointAt(cell: number): boolean {
    if (!this.steps || this.pinned < 0 || cell < 0) return false;
    const { board } = this.state;
    const dx = board.column(cell) - board.column(this.pinned);
    const dy = board.row(cell) - board.row(this.pinned);
    const index = this.steps.findIndex(([x, y]) => x === dx && y === dy);
    if (index >= 0) this.turns = index;
    this.pointed = index >= 0;
    return index >= 0;
  }

  pin(cell: number): void {
    this.pinned = cell;
    this.fixed = false;
    this.cell = cell;
    this.pointed = false;
  }

  /** Put everything down again; the piece chosen and its turn stay. */
  drop(): void {
    this.pinned = -1;
    this.pointed = false;
    this.fixed = false;
    this.cell = -1;
    this.byKeyboard = false;
    if (this.pair) this.flipped = false;
  }

  /** The move that the ghost would be, where it is allowed. */
  get move(): Placement | null {
    const ghost = this.ghost;
    return ghost && !ghost.reason ? ghost.placement : null;
  }

  private shapeKey(piece: PieceValue): string {
    return JSON.stringify(oriented(piece, this.turns, this.flipped));
  }

  private pairAt(step: number): Ghost | null {
    const cell = this.pinned >= 0 ? this.pinned : this.cell;
    return cell < 0 || !this.steps ? null : pairGhost(this.state, cell, this.steps[step], this.flipped);
  }

  /** The step shown: the one chosen, or the next that is allowed where that one is not. */
  private shownStep(): number {
    const count = this.steps?.length ?? 1;
    const chosen = this.turns % count;
    if (this.pointed) return chosen;
    for (let k = 0; k < count; k++) {
      const step = (chosen + k) % count;
      if (this.pairAt(step)?.reason === null) return step;
    }
    for (let k = 0; k < count; k++) {
      if (this.pairAt((chosen + k) % count)) return (chosen + k) % count;
    }
    return chosen;
  }

  private find(): Ghost | null {
    if (this.state.over || this.cell < 0) return null;
    if (this.steps) return this.pairAt(this.shownStep());
    const piece = this.state.rules.pieces[this.piece];
    return piece ? pieceGhost(this.state, piece, this.turns, this.flipped, this.cell) : null;
  }
}
