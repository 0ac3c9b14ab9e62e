/** The held piece: its kind, orientation and cell. */

import { oriented, type Placement } from '../rules/layout';
import type { State } from '../rules/state';
import type { Colour, PieceDefinition } from '../rules/definition';
import { pairGhost, pairSteps, pieceGhost, type Ghost, type Step } from './ghost';

export class PieceCursor {
  /** The cell under the pointer or the cursor, or -1. */
  cell = $state(-1);
  /** The cell chosen for the player's half of a pair, or -1. */
  firstCell = $state(-1);
  /** Whether the player chose the direction of the pair; otherwise the ghost turns to a legal one. */
  private directionChosen = $state(false);
  /** Whether the ghost stays in place until it is placed or moved. */
  fixed = $state(false);
  /** Whether the arrow keys move the piece. */
  byKeyboard = $state(false);
  turns = $state(0);
  flipped = $state(false);
  private chosen = $state(0);
  private readonly source: () => State;
  private readonly colour: () => Colour;

  readonly steps: Step[] | null = $derived.by(() => pairSteps(this.state.currentStage));
  readonly ghost: Ghost | null = $derived.by(() => this.find());

  /** `colour` is the side that holds the piece: by default the one to move. */
  constructor(source: () => State, colour: () => Colour = () => source().colourToMove) {
    this.source = source;
    this.colour = colour;
  }

  get state(): State {
    return this.source();
  }

  get pair(): boolean {
    return this.steps !== null;
  }

  /** The held piece as an index into the stage's pieces; never one without supply. */
  get piece(): number {
    const { pieces } = this.state.currentStage;
    const left = (index: number) => this.state.supply[pieces[index]?.stock] > 0;
    if (left(this.chosen)) return this.chosen;
    const kind = pieces[this.chosen]?.kind;
    const same = pieces.findIndex((piece, index) => piece.kind === kind && left(index));
    return same >= 0
      ? same
      : Math.max(
          0,
          pieces.findIndex((_, index) => left(index)),
        );
  }

  choose(index: number): void {
    this.chosen = index;
  }

  /** Choose the next piece of a kind: its first face, or the face after the held one. */
  chooseKind(kind: string): void {
    const { pieces } = this.state.currentStage;
    const of = pieces
      .map((_, index) => index)
      .filter((index) => pieces[index].kind === kind && this.state.supply[pieces[index].stock] > 0);
    if (!of.length) return;
    const at = of.indexOf(this.piece);
    this.choose(of[(at + 1) % of.length]);
  }

  turn(by = 1): void {
    if (this.steps) {
      const count = this.steps.length;
      const from = this.shownStep();
      this.directionChosen = false;
      for (let k = 1; k <= count; k++) {
        const next = (from + by * k + count * count) % count;
        if (k === count || this.pairAt(next)?.reason === null) {
          this.turns = next;
          return;
        }
      }
      return;
    }
    const piece = this.state.currentStage.pieces[this.piece];
    if (!piece?.can_rotate) return;
    // Turn clockwise on screen; `oriented` turns anticlockwise.
    const before = this.shapeKey(piece);
    for (let k = 0; k < 4; k++) {
      this.turns = (this.turns - by + 4) % 4;
      if (this.shapeKey(piece) !== before) return;
    }
  }

  flip(): void {
    if (this.pair || this.state.currentStage.pieces[this.piece]?.can_flip) this.flipped = !this.flipped;
  }

  /** Point the pair from its first cell towards another cell; return whether a pair can cover both. */
  pointAt(cell: number): boolean {
    if (!this.steps || this.firstCell < 0 || cell < 0) return false;
    const { board } = this.state;
    const dx = board.column(cell) - board.column(this.firstCell);
    const dy = board.row(cell) - board.row(this.firstCell);
    const index = this.steps.findIndex(([x, y]) => x === dx && y === dy);
    if (index >= 0) this.turns = index;
    this.directionChosen = index >= 0;
    return index >= 0;
  }

  setFirstCell(cell: number): void {
    this.firstCell = cell;
    this.fixed = false;
    this.cell = cell;
    this.directionChosen = false;
  }

  /** Release the ghost; keep the chosen piece and its orientation. */
  drop(): void {
    this.firstCell = -1;
    this.directionChosen = false;
    this.fixed = false;
    this.cell = -1;
    this.byKeyboard = false;
    if (this.pair) this.flipped = false;
  }

  /** The ghost's move if it is legal, else null. */
  get move(): Placement | null {
    const ghost = this.ghost;
    return ghost && !ghost.reason ? ghost.placement : null;
  }

  private shapeKey(piece: PieceDefinition): string {
    return JSON.stringify(oriented(piece, this.turns, this.flipped));
  }

  private pairAt(step: number): Ghost | null {
    const cell = this.firstCell >= 0 ? this.firstCell : this.cell;
    return cell < 0 || !this.steps
      ? null
      : pairGhost(this.state, cell, this.steps[step], this.flipped, this.colour());
  }

  /** The step to show: the chosen one, or else the next legal one. */
  private shownStep(): number {
    const count = this.steps?.length ?? 1;
    const chosen = this.turns % count;
    if (this.directionChosen) return chosen;
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
    if (this.state.isOver || this.cell < 0) return null;
    if (this.steps) return this.pairAt(this.shownStep());
    const piece = this.state.currentStage.pieces[this.piece];
    return piece ? pieceGhost(this.state, piece, this.turns, this.flipped, this.cell) : null;
  }
}
