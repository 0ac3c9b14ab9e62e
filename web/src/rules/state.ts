/** A position: an immutable value that knows its legal moves, scores and outcome. */

import { objection, type Site } from './constraints';
import { flags, type Board } from './geometry';
import { isSwap, type Game, type Move } from './game';
import type { Footprint, Placement } from './layout';
import type { Reason } from './reasons';
import { countedGroups, score } from './scoring';
import { DARK, LIGHT, type Colour, type ScoringValue, type Seat, type StageValue } from './value';

/** The pieces of one stage as they lie on the board. */
export interface Layer {
  light: Uint8Array;
  dark: Uint8Array;
  covered: Uint8Array;
  kinds: Uint8Array;
  placed: readonly Placement[];
}

export type Scores = readonly [number, number];

export interface Outcome {
  /** The seat that won, or null for a draw. */
  winner: Seat | null;
  scores: Scores;
}

export class IllegalMove extends Error {
  constructor(readonly reason: Reason) {
    super(reason.code);
  }
}

export class State {
  /** What the rules of placing look at. */
  readonly site: Site;

  private constructor(
    readonly game: Game,
    readonly layers: readonly Layer[],
    readonly supply: readonly number[],
    readonly swapped: boolean,
    /** Who placed last. */
    readonly last: Seat | null,
    /** Points of the finished stages, by seat. */
    readonly banked: Scores,
    /** The footprints that a piece may cover now; none once the game is over. */
    readonly live: readonly Footprint[],
  ) {
    const { covered, kinds, placed } = this.layer;
    const ground = this.below?.covered ?? new Uint8Array(this.board.size);
    this.site = { board: this.board, covered, kinds, ground, bare: placed.length === 0 };
  }

  static start(game: Game): State {
    return State.open(game, [], false, null, [0, 0]);
  }

  /** Start the next stage, passing over stages in which nothing can be placed. */
  private static open(game: Game, layers: readonly Layer[], swapped: boolean, last: Seat | null, banked: Scores): State {
    const stage = game.stages[layers.length];
    const size = game.boards[layers.length].size;
    const blank = () => new Uint8Array(size);
    const layer: Layer = { light: blank(), dark: blank(), covered: blank(), kinds: blank(), placed: [] };
    const supply = stage.slots.map((slot) => slot.count);
    return State.alive(game, [...layers, layer], supply, swapped, last, banked);
  }

  private static alive(
    game: Game,
    layers: readonly Layer[],
    supply: readonly number[],
    swapped: boolean,
    last: Seat | null,
    banked: Scores,
  ): State {
    const draft = new State(game, layers, supply, swapped, last, banked, []);
    const { footprints, faces } = game.layouts[draft.stage];
    const live = footprints.filter(
      (footprint) => faces[footprint.index].some((face) => supply[face.slot]) && !draft.whyNotHere(footprint),
    );
    if (live.length || layers.length === game.stages.length) {
      return new State(game, layers, supply, swapped, last, banked, live);
    }
    return State.open(game, layers, swapped, last, draft.scores());
  }

  get stage(): number {
    return this.layers.length - 1;
  }

  get rules(): StageValue {
    return this.game.stages[this.stage];
  }

  get board(): Board {
    return this.game.boards[this.stage];
  }

  get layer(): Layer {
    return this.layers[this.stage];
  }

  get below(): Layer | null {
    return this.layers[this.stage - 1] ?? null;
  }

  get ply(): number {
    return this.layers.reduce((sum, layer) => sum + layer.placed.length, 0) + Number(this.swapped);
  }

  get toMove(): Colour {
    const first = this.rules.first === 'light' ? LIGHT : DARK;
    return (this.layer.placed.length % 2 ? 1 - first : first) as Colour;
  }

  get mover(): Seat {
    return this.seatOf(this.toMove);
  }

  seatOf(colour: Colour): Seat {
    return (this.swapped ? 1 - colour : colour) as Seat;
  }

  colourOf(seat: Seat): Colour {
    return (this.swapped ? 1 - seat : seat) as Colour;
  }

  get over(): boolean {
    return this.live.length === 0;
  }

  get canSwap(): boolean {
    return this.rules.swap && !this.swapped && this.layer.placed.length === 1 && !this.over;
  }

  legal(): Move[] {
    const faces = this.game.layouts[this.stage].faces;
    const moves: Move[] = this.live.flatMap((footprint) =>
      faces[footprint.index].filter((face) => this.supply[face.slot]),
    );
    if (this.canSwap && this.game.swap) moves.push(this.game.swap);
    return moves;
  }

  whyNot(move: Move): Reason | null {
    if (this.over) return { code: 'over', cells: [], kind: '' };
    if (isSwap(move)) return this.canSwap ? null : { code: 'no-swap', cells: [], kind: '' };
    if (move.stage !== this.stage) return { code: 'wrong-stage', cells: [], kind: '' };
    const reason = this.whyNotHere(move.footprint);
    if (!reason && !this.supply[move.slot]) return { code: 'no-supply', cells: [], kind: move.footprint.kind };
    return reason;
  }

  /** Which rule forbids covering these cells, whatever the face and the supply. */
  whyNotHere(footprint: Footprint): Reason | null {
    const site = this.site;
    const taken = footprint.cells.filter((cell) => site.covered[cell]);
    if (taken.length) return { code: 'occupied', cells: [this.board.names(taken)[0]], kind: '' };
    for (const rule of this.rules.constraints) {
      const reason = objection(rule, footprint, site);
      if (reason) return reason;
    }
    return null;
  }


  play(move: Move): State {
    const reason = this.whyNot(move);
    if (reason) throw new IllegalMove(reason);
    const { game, layers, supply, last, banked } = this;
    if (isSwap(move)) return new State(game, layers, supply, true, last, banked, this.live);
    const layer = this.layer;
    const add = (marks: Uint8Array, cells: readonly number[]) => {
      const copy = Uint8Array.from(marks);
      for (const cell of cells) copy[cell] = 1;
      return copy;
    };
    const kinds = Uint8Array.from(layer.kinds);
    for (const cell of move.footprint.cells) kinds[cell] = move.footprint.kindIndex + 1;
    const after: Layer = {
      light: add(layer.light, move.light),
      dark: add(layer.dark, move.dark),
      covered: add(layer.covered, move.footprint.cells),
      kinds,
      placed: [...layer.placed, move],
    };
    const left = supply.map((count, slot) => (slot === move.slot ? count - 1 : count));
    return State.alive(game, [...layers.slice(0, -1), after], left, this.swapped, this.mover, banked);
  }

  /** The symbols under this stage's pieces: printed, or the squares of the stage before. */
  symbols(colour: Colour): Uint8Array {
    const printed = this.rules.symbols;
    if (printed) return flags(this.board.size, colour === LIGHT ? printed.light : printed.dark);
    const below = this.rules.scoring.type === 'uncovered' ? this.below : null;
    if (!below) return new Uint8Array(this.board.size);
    return colour === LIGHT ? below.light : below.dark;
  }

  /** The squares, or the uncovered symbols, that count for a colour in this stage. */
  own(colour: Colour): Uint8Array {
    if (this.rules.scoring.type === 'uncovered') {
      const { covered } = this.layer;
      return this.symbols(colour).map((mark, cell) => (mark && !covered[cell] ? 1 : 0));
    }
    return colour === LIGHT ? this.layer.light : this.layer.dark;
  }

  counted(colour: Colour): number[][] {
    return countedGroups(this.rules.scoring, this.board, this.own(colour));
  }

  /** All groups of a colour that the scoring looks at, the largest first. */
  groups(colour: Colour): number[][] {
    const rule = this.rules.scoring;
    return rule.type === 'uncovered' ? [] : this.board.groups(this.own(colour), rule.adjacency);
  }

  /** The points of the stage being played, by seat, without the bonus for placing last. */
  stageScores(rule: ScoringValue = this.rules.scoring): Scores {
    const points = (seat: Seat) => score(rule, this.board, this.own(this.colourOf(seat)));
    return [points(0), points(1)];
  }

  /** The totals by seat, of all stages so far; whoever placed last in a finished stage has its bonus. */
  scores(): Scores {
    const here = this.stageScores();
    const bonus = (seat: Seat) => (this.over && this.last === seat ? this.rules.last_bonus : 0);
    return [this.banked[0] + here[0] + bonus(0), this.banked[1] + here[1] + bonus(1)];
  }

  outcome(): Outcome | null {
    if (!this.over) return null;
    const scores = this.scores();
    for (const [first, second] of [scores, ...this.rules.tiebreak.map((rule) => this.stageScores(rule))]) {
      if (first !== second) return { winner: first > second ? 0 : 1, scores };
    }
    return { winner: this.tieWinner(), scores };
  }

  private tieWinner(): Seat | null {
    switch (this.game.value.tie) {
      case 'light':
        return this.seatOf(LIGHT);
      case 'dark':
        return this.seatOf(DARK);
      case 'last':
        return this.last;
      case 'draw':
        return null;
    }
  }
}
