/** Games, positions and nets as numbers one after another; core/wasm/descriptions.cpp reads them. */

import type { PlacementTest, Tally } from '../rules/definition';
import type { Game, Stage } from '../rules/game';
import type { Layout } from '../rules/layout';
import { EngineError } from './types';
import { symmetriesOf } from './symmetries';

const PLANES: Record<PlacementTest['plane'], number> = { piece: 0, covered: 1, after: 2, kind: 3, ground: 4 };
const WHENS: Record<PlacementTest['when'], number> = { always: 0, first: 1, later: 2 };
const JOINS = { none: 0, edge: 1, king: 2 };
const TIES = { light: 0, dark: 1, last: 2, draw: 3 };
/** Scores are 64-bit integers in the core and doubles on the way back: beyond this they would not be exact. */
const MAX_SCORE = 2 ** 50;

/** Collects 32-bit integers, and what is made of them. */
export class Numbers {
  private readonly values: number[] = [];

  int(...values: number[]): this {
    for (const value of values) this.values.push(value);
    return this;
  }

  flag(value: boolean): this {
    return this.int(Number(value));
  }

  /** A 64-bit integer, low half first. */
  long(value: number): this {
    return this.int(Number(BigInt.asIntN(32, BigInt(value))), Math.floor(value / 2 ** 32));
  }

  double(value: number): this {
    return this.int(...new Int32Array(new Float64Array([value]).buffer));
  }

  mask(cells: readonly number[]): this {
    const words = [0, 0, 0, 0];
    for (const cell of cells) words[cell >> 5] |= 1 << (cell & 31);
    return this.int(...words);
  }

  ints(values: readonly number[]): this {
    return this.int(values.length, ...values);
  }

  masks(sets: readonly (readonly number[])[]): this {
    this.int(sets.length);
    for (const set of sets) this.mask(set);
    return this;
  }

  bytes(): Uint8Array {
    return new Uint8Array(Int32Array.from(this.values).buffer);
  }
}

/** Describe a game to the core; throws an `EngineError` for rules that it does not support. */
export function describeGame(game: Game): Uint8Array {
  const numbers = new Numbers().int(game.stages.length);
  for (const [index, stage] of game.stages.entries()) describeStage(numbers, stage, game.layouts[index]);
  const { tie_rule, komi, komi_names, opening } = game.definition.program;
  numbers.int(TIES[tie_rule], komi).ints(komi_names).ints(opening);
  const symmetries = symmetriesOf(game);
  numbers.int(symmetries.length);
  for (const image of symmetries) numbers.ints(image);
  return numbers.bytes();
}

function describeStage(numbers: Numbers, stage: Stage, { footprints, faces, placements }: Layout): void {
  const { width, height, holes } = stage.board;
  const cells = Array.from({ length: width * height }, (_, cell) => cell);
  if (cells.length > 128)
    throw new EngineError('rules', `a board of ${cells.length} cells (expected at most 128)`);
  numbers.int(width, height).mask(cells.filter((cell) => !holes.includes(cell)));
  numbers.int(stage.first_colour === 'light' ? 0 : 1);
  numbers.masks(footprints.map((footprint) => footprint.cells));
  numbers.ints(footprints.map(({ kindIndex }) => kindIndex));
  numbers.ints(faces.map(({ length }) => length));
  numbers.masks(placements.map(({ light }) => light)).masks(placements.map(({ dark }) => dark));
  numbers.ints(placements.map(({ stock }) => stock)).ints(stage.supply);
  numbers.int(stage.tests.length);
  for (const test of stage.tests) describeTest(numbers, test);
  describeTally(numbers, stage.score, cells.length);
  numbers.int(stage.tiebreak.length);
  for (const tally of stage.tiebreak) describeTally(numbers, tally, cells.length);
  numbers.int(stage.last_placement_bonus, stage.swap_after ?? -1).flag(stage.symbols !== null);
  if (stage.symbols) numbers.mask(stage.symbols.light).mask(stage.symbols.dark);
}

function describeTest(numbers: Numbers, { plane, region, when, counts }: PlacementTest): void {
  const [kind, sets] = regionOf(region);
  numbers.int(PLANES[plane], kind, WHENS[when], counts.length);
  for (const [low, high] of counts) numbers.int(low, high);
  numbers.masks(sets);
}

function regionOf(region: PlacementTest['region']): [number, number[][]] {
  switch (region.type) {
    case 'under':
      return [0, []];
    case 'around':
      return [region.adjacency === 'edge' ? 1 : 2, []];
    case 'fixed':
      return [3, [region.cells]];
    case 'each':
      return [4, region.sets];
  }
}

function describeTally(numbers: Numbers, tally: Tally, cells: number): void {
  const { source, join, first, last, fold, value, rule } = tally;
  if (!value.every(Number.isSafeInteger) || !(largestScore(tally, cells) <= MAX_SCORE))
    throw new EngineError('rules', `the rule ${rule}: scores that are too large`);
  numbers.flag(source === 'symbols').int(JOINS[join ?? 'none'], first, last ?? 0, fold === 'sum' ? 0 : 1);
  numbers.int(value.length);
  for (const points of value) numbers.long(points);
  numbers.flag(isLinear(tally)).flag(isMonotone(tally));
}

/** An upper bound on the magnitude of a score: the best way to split this many cells into groups. */
function largestScore({ fold, value }: Tally, cells: number): number {
  const best = [fold === 'sum' ? 0 : 1];
  for (let n = 1; n <= cells; n++) {
    best[n] = best[n - 1];
    for (let size = 1; size <= n; size++) {
      const points = Math.abs(value[size]);
      best[n] = Math.max(best[n], fold === 'sum' ? points + best[n - size] : points * best[n - size]);
    }
  }
  return best[cells];
}

/** Whether the score is the number of cells in the groups that count. */
export function isLinear({ fold, value }: Tally): boolean {
  return fold === 'sum' && value.every((points, size) => points === size);
}

/** Whether no group can lower the score by growing or by joining another. */
export function isMonotone({ fold, first, value }: Tally): boolean {
  if (fold !== 'sum' || first !== 1) return false;
  for (let one = 0; one < value.length; one++) {
    for (let two = 1; one + two < value.length; two++) {
      if (value[one + two] < value[one] + value[two]) return false;
    }
  }
  return value.slice(1).every((points) => points >= 0);
}
