/** A position: an immutable value with its legal moves, scores and outcome. */

import { DARK, LIGHT, type Colour, type Seat, type Tally } from './definition';
import { isKomi, isSwap, type Game, type Move, type Stage } from './game';
import { maskOf, type Board } from './geometry';
import type { Footprint, Layout, Placement } from './layout';
import { explain, firstFailure, scoringGroups, tallyScore, type PlacementContext } from './program';
import { reason, type IllegalReason } from './reasons';

/** The pieces of one stage on the board. */
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
  constructor(readonly reason: IllegalReason) {
    super(reason.code);
  }
}

export class State {
  /** What the placing rules read. */
  readonly context: PlacementContext;
  /** The groups by colour, found when they are first needed: several parts of a page ask for them. */
  private readonly grouped: (number[][] | null)[] = [null, null];
  /** Whether nothing can be placed: known long before all that can, which many a position is never asked for. */
  private over: boolean | null = null;

  private constructor(
    readonly game: Game,
    readonly layers: readonly Layer[],
    readonly supply: readonly number[],
    readonly swapped: boolean,
    /** Half points for Light, fixed by the rules or named; null as long as they are to be named. */
    readonly komi: number | null,
    /** The seat that placed last. */
    readonly lastSeat: Seat | null,
    /** Points of the finished stages, by seat. */
    readonly banked: Scores,
    /** The footprints that may be covered now, once they are found. */
    private found: readonly Footprint[] | null = null,
  ) {
    const { covered, kinds, placed } = this.layer;
    const ground = this.below?.covered ?? new Uint8Array(this.board.size);
    this.context = { covered, kinds, ground, first: placed.length === 0 };
  }

  static start(game: Game): State {
    const { komi, komi_names } = game.definition.program;
    const start = State.startStage(game, [], false, komi_names.length ? null : komi, null, [0, 0]);
    return game.opening.reduce((state, move) => state.play(move), start);
  }

  /** A position with these pieces by stage, whether or not a game leads there: for drawing and editing. */
  static arrange(game: Game, stages: readonly (readonly Placement[])[], swapped = false): State {
    const layers = stages.map((placed, stage): Layer => {
      const mask = (cells: (placement: Placement) => readonly number[]) =>
        maskOf(game.boards[stage].size, placed.flatMap(cells));
      const kinds = new Uint8Array(game.boards[stage].size);
      for (const { footprint } of placed)
        for (const cell of footprint.cells) kinds[cell] = footprint.kindIndex + 1;
      const covered = mask(({ footprint }) => footprint.cells);
      return { light: mask(({ light }) => light), dark: mask(({ dark }) => dark), covered, kinds, placed };
    });
    const last = stages.length - 1;
    const used = (stock: number) => stages[last].filter((placement) => placement.stock === stock).length;
    const supply = game.stages[last].supply.map((count, stock) => Math.max(0, count - used(stock)));
    const { komi } = game.definition.program;
    return new State(game, layers, supply, swapped, komi, null, [0, 0], game.layouts[last].footprints);
  }

  /** Start the next stage; skip stages in which nothing can be placed. */
  private static startStage(
    game: Game,
    layers: readonly Layer[],
    swapped: boolean,
    komi: number | null,
    lastSeat: Seat | null,
    banked: Scores,
  ): State {
    const size = game.boards[layers.length].size;
    const blank = () => new Uint8Array(size);
    const layer: Layer = { light: blank(), dark: blank(), covered: blank(), kinds: blank(), placed: [] };
    return State.advance(
      game,
      [...layers, layer],
      game.stages[layers.length].supply,
      swapped,
      komi,
      lastSeat,
      banked,
    );
  }

  private static advance(
    game: Game,
    layers: readonly Layer[],
    supply: readonly number[],
    swapped: boolean,
    komi: number | null,
    lastSeat: Seat | null,
    banked: Scores,
  ): State {
    const next = new State(game, layers, supply, swapped, komi, lastSeat, banked);
    const isLast = layers.length === game.stages.length;
    if (isLast || !next.isOver) return next;
    return State.startStage(game, layers, swapped, komi, lastSeat, next.scores());
  }

  /** The footprints that may be covered now; none when the game is over. */
  get live(): readonly Footprint[] {
    return (this.found ??= this.layout.footprints.filter((footprint) => this.isLive(footprint)));
  }

  private isLive(footprint: Footprint): boolean {
    const { faces, tests } = this.layout;
    const available = faces[footprint.index].some((face) => this.supply[face.stock]);
    return available && !firstFailure(tests, footprint, this.context);
  }

  get stageIndex(): number {
    return this.layers.length - 1;
  }

  get currentStage(): Stage {
    return this.game.stages[this.stageIndex];
  }

  get board(): Board {
    return this.game.boards[this.stageIndex];
  }

  private get layout(): Layout {
    return this.game.layouts[this.stageIndex];
  }

  get layer(): Layer {
    return this.layers[this.stageIndex];
  }

  get below(): Layer | null {
    return this.layers[this.stageIndex - 1] ?? null;
  }

  /** The number of turns played; a swap and a named komi count as one each, an opening as none. */
  get ply(): number {
    const placed = this.layers.reduce((sum, layer) => sum + layer.placed.length, 0);
    const named = this.game.komis.length > 0 && this.komi !== null;
    return placed + Number(this.swapped) + Number(named) - this.game.opening.length;
  }

  get colourToMove(): Colour {
    const first = this.currentStage.first_colour === 'light' ? LIGHT : DARK;
    const other = this.mustNameKomi ? 1 : this.layer.placed.length % 2;
    return (other ? 1 - first : first) as Colour;
  }

  get seatToMove(): Seat {
    return this.seatOf(this.colourToMove);
  }

  seatOf(colour: Colour): Seat {
    return (this.swapped ? 1 - colour : colour) as Seat;
  }

  colourOf(seat: Seat): Colour {
    return (this.swapped ? 1 - seat : seat) as Colour;
  }

  get isOver(): boolean {
    if (this.found) return !this.found.length;
    return (this.over ??= !this.layout.footprints.some((footprint) => this.isLive(footprint)));
  }

  get canSwap(): boolean {
    const due = this.currentStage.swap_after === this.layer.placed.length && !this.mustNameKomi;
    return due && !this.swapped && !this.isOver;
  }

  /** Whether the player to move has to name the komi before anything is placed. */
  get mustNameKomi(): boolean {
    return this.komi === null && this.stageIndex === 0 && !this.isOver;
  }

  legal(): Move[] {
    if (this.mustNameKomi) return [...this.game.komis];
    const { faces } = this.layout;
    const moves: Move[] = this.live.flatMap((footprint) =>
      faces[footprint.index].filter((face) => this.supply[face.stock]),
    );
    if (this.canSwap && this.game.swap) moves.push(this.game.swap);
    return moves;
  }

  illegalReason(move: Move): IllegalReason | null {
    if (this.isOver) return reason('over');
    if (isSwap(move)) return this.canSwap ? null : reason('no-swap');
    if (isKomi(move)) return this.mustNameKomi ? null : reason('no-komi');
    if (this.mustNameKomi) return reason('komi-first');
    if (move.stage !== this.stageIndex) return reason('wrong-stage');
    const illegal = this.footprintIllegalReason(move.footprint);
    return illegal ?? (this.supply[move.stock] ? null : reason('no-supply', move.footprint.kind));
  }

  /** The reason why a footprint is illegal, whatever the face and the supply; null if it is legal. */
  footprintIllegalReason(footprint: Footprint): IllegalReason | null {
    const failure = firstFailure(this.layout.tests, footprint, this.context);
    return failure && explain(failure, this.board);
  }

  play(move: Move): State {
    const illegal = this.illegalReason(move);
    if (illegal) throw new IllegalMove(illegal);
    const { game, layers, supply, lastSeat, banked, found } = this;
    if (isSwap(move)) return new State(game, layers, supply, true, this.komi, lastSeat, banked, found);
    if (isKomi(move))
      return new State(game, layers, supply, this.swapped, move.komi, lastSeat, banked, found);
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
    const left = supply.map((count, stock) => (stock === move.stock ? count - 1 : count));
    const stages = [...layers.slice(0, -1), after];
    return State.advance(game, stages, left, this.swapped, this.komi, this.seatToMove, banked);
  }

  /** The symbols under this stage's pieces: printed, or the squares of the previous stage; none if they do not score. */
  symbols(colour: Colour): Uint8Array {
    const { symbols, score, tiebreak } = this.currentStage;
    const { below, board } = this;
    if (symbols) return maskOf(board.size, colour === LIGHT ? symbols.light : symbols.dark);
    if (!below || ![score, ...tiebreak].some(({ source }) => source === 'symbols'))
      return new Uint8Array(board.size);
    return colour === LIGHT ? below.light : below.dark;
  }

  /** The squares, or the uncovered symbols, that a tally counts for a colour. */
  scoringCells(colour: Colour, { source }: Tally = this.currentStage.score): Uint8Array {
    const { covered, light, dark } = this.layer;
    if (source === 'symbols')
      return this.symbols(colour).map((mark, cell) => (mark && !covered[cell] ? 1 : 0));
    return colour === LIGHT ? light : dark;
  }

  scoringGroups(colour: Colour): number[][] {
    return scoringGroups(this.currentStage.score, this.groups(colour));
  }

  /** All groups of a colour under the score's adjacency, largest first. */
  groups(colour: Colour): number[][] {
    const { join } = this.currentStage.score;
    return (this.grouped[colour] ??= join ? this.board.groups(this.scoringCells(colour), join) : []);
  }

  /** The points of the current stage by seat, without the bonus for the last placement. */
  stageScores(tally: Tally = this.currentStage.score): Scores {
    const points = (seat: Seat) => {
      const colour = this.colourOf(seat);
      const cells = this.scoringCells(colour, tally);
      const known = tally === this.currentStage.score ? this.groups(colour) : null;
      return tallyScore(tally, cells, known ?? (tally.join ? this.board.groups(cells, tally.join) : []));
    };
    return [points(0), points(1)];
  }

  /** The totals by seat over all stages, with the komi and the bonus for the last placement of a finished stage. */
  scores(): Scores {
    const points = this.stageScores();
    const bonus = (seat: Seat) =>
      this.isOver && this.lastSeat === seat ? this.currentStage.last_placement_bonus / 2 : 0;
    const total = (seat: Seat) => this.banked[seat] + points[seat] + bonus(seat) + this.komiOf(seat);
    return [total(0), total(1)];
  }

  /** The points that the komi gives a seat in the first stage; afterwards they are banked. */
  private komiOf(seat: Seat): number {
    return this.stageIndex === 0 && this.seatOf(LIGHT) === seat ? (this.komi ?? 0) / 2 : 0;
  }

  outcome(): Outcome | null {
    if (!this.isOver) return null;
    const scores = this.scores();
    for (const [first, second] of [
      scores,
      ...this.currentStage.tiebreak.map((tally) => this.stageScores(tally)),
    ]) {
      if (first !== second) return { winner: first > second ? 0 : 1, scores };
    }
    return { winner: this.tieWinner(), scores };
  }

  private tieWinner(): Seat | null {
    switch (this.game.definition.program.tie_rule) {
      case 'light':
        return this.seatOf(LIGHT);
      case 'dark':
        return this.seatOf(DARK);
      case 'last':
        return this.lastSeat;
      case 'draw':
        return null;
    }
  }
}
