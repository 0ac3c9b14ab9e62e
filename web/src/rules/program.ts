/** The interpreter of compiled rules: which test a footprint fails and why, and what a tally scores. */

import type { Adjacency, CellSet, GameProgram, PlacementTest, Region, Tally, Why } from './definition';
import type { Board } from './geometry';
import type { Footprint } from './layout';
import type { IllegalReason } from './reasons';

const FORMAT = 2;

type Cells = readonly number[];

/** A rule that this page does not implement; thrown before any move is made. */
export class Unsupported extends Error {
  readonly engine = 'page';

  constructor(
    readonly rule: string,
    readonly detail: string,
  ) {
    super(`page does not support the rule ${rule}: ${detail}`);
  }
}

/** What tests read: the pieces of this stage and the cells covered by the previous one. */
export interface PlacementContext {
  covered: Uint8Array;
  /** For each cell, 1 + the kind of the piece of this stage on it, or 0. */
  kinds: Uint8Array;
  ground: Uint8Array;
  /** Whether nothing has been placed in this stage. */
  first: boolean;
}

interface Failure {
  why: Why;
  mask: Cells;
  hits: Cells;
  footprint: Footprint;
}

/** A test with the masks of its region for every footprint. */
export interface CompiledTest extends PlacementTest {
  masks: Cells[][];
}

type Plane = (cell: number, footprint: Footprint, context: PlacementContext) => boolean;

const PLANES: Record<PlacementTest['plane'], Plane> = {
  piece: (cell, { cells }) => cells.includes(cell),
  covered: (cell, _, { covered }) => covered[cell] === 1,
  after: (cell, { cells }, { covered }) => covered[cell] === 1 || cells.includes(cell),
  kind: (cell, { kindIndex }, { kinds }) => kinds[cell] === kindIndex + 1,
  ground: (cell, _, { ground }) => ground[cell] === 1,
};
const WHEN: Record<PlacementTest['when'], (first: boolean) => boolean> = {
  always: () => true,
  first: (first) => first,
  later: (first) => !first,
};
const CELL_SETS: Record<CellSet, (failure: Failure) => Cells> = {
  none: () => [],
  hits: ({ hits }) => hits,
  misses: ({ mask, hits }) => mask.filter((cell) => !hits.includes(cell)),
  mask: ({ mask }) => mask,
  piece: ({ footprint }) => footprint.cells,
};
const PICKS: Record<Why['pick'], (cells: Cells, board: Board) => string[]> = {
  all: (cells, board) => board.names(cells),
  first: (cells, board) => board.names(cells).slice(0, 1),
  ends: (cells, board) =>
    cells.length ? [board.name(Math.min(...cells)), board.name(Math.max(...cells))] : [],
};
const FOLDS: Record<Tally['fold'], (a: number, b: number) => number> = {
  sum: (a, b) => a + b,
  product: (a, b) => a * b,
};
const SOURCES: Record<Tally['source'], true> = { squares: true, symbols: true };
const ADJACENCIES: Record<Adjacency, true> = { edge: true, king: true };
const TIES: Record<GameProgram['tie_rule'], true> = { light: true, dark: true, last: true, draw: true };

function check(rule: string, what: string, value: unknown, known: object): void {
  if (!Object.hasOwn(known, String(value))) throw new Unsupported(rule, `${what} ${String(value)}`);
}

/** Throw `Unsupported` for the first part of a program that this interpreter does not know. */
export function checkProgram(program: GameProgram): void {
  if (program.format !== FORMAT) throw new Unsupported('program', `format ${program.format}`);
  check('tie', 'tie', program.tie_rule, TIES);
  for (const { tests, score, tiebreak } of program.stages) {
    for (const { rule, plane, when, why } of tests) {
      check(rule, 'plane', plane, PLANES);
      check(rule, 'time', when, WHEN);
      check(rule, 'cells', why.cells, CELL_SETS);
      check(rule, 'mark', why.mark, CELL_SETS);
      check(rule, 'pick', why.pick, PICKS);
    }
    for (const { rule, source, join, fold } of [score, ...tiebreak]) {
      check(rule, 'source', source, SOURCES);
      if (join !== null) check(rule, 'join', join, ADJACENCIES);
      check(rule, 'fold', fold, FOLDS);
    }
  }
}

/** Find the masks of a test for every footprint. */
export function compileTest(
  test: PlacementTest,
  footprints: readonly Footprint[],
  board: Board,
): CompiledTest {
  const masksOf = regionMasks(test.rule, test.region, board);
  return { ...test, masks: footprints.map(({ cells }) => masksOf(cells)) };
}

/** Return the function from the cells of a footprint to the masks of a region. */
function regionMasks(rule: string, region: Region, board: Board): (cells: Cells) => Cells[] {
  switch (region.type) {
    case 'under':
      return (cells) => [cells];
    case 'around': {
      const { adjacency } = region;
      check(rule, 'adjacency', adjacency, ADJACENCIES);
      return (cells) => [board.around(cells, adjacency)];
    }
    case 'fixed':
      return () => [region.cells];
    case 'each': {
      const through: number[][] = Array.from({ length: board.size }, () => []);
      for (const [index, set] of region.sets.entries()) for (const cell of set) through[cell].push(index);
      return (cells) =>
        [...new Set(cells.flatMap((cell) => through[cell]))]
          .sort((a, b) => a - b)
          .map((index) => region.sets[index]);
    }
    default:
      throw new Unsupported(rule, `region ${String((region satisfies never as Region).type)}`);
  }
}

/** The first test that a footprint fails, with the failed mask and its counted cells; null if all pass. */
export function firstFailure(
  tests: readonly CompiledTest[],
  footprint: Footprint,
  context: PlacementContext,
): Failure | null {
  for (const { plane, counts, why, when, masks } of tests) {
    if (!WHEN[when](context.first)) continue;
    const counted = PLANES[plane];
    for (const mask of masks[footprint.index]) {
      let count = 0;
      for (const cell of mask) if (counted(cell, footprint, context)) count += 1;
      if (!allowed(counts, count, mask.length)) {
        return { why, mask, hits: mask.filter((cell) => counted(cell, footprint, context)), footprint };
      }
    }
  }
  return null;
}

/** Return whether a count lies in one of the ranges; a negative end counts back from the size of the mask. */
function allowed(ranges: PlacementTest['counts'], count: number, size: number): boolean {
  for (const [low, high] of ranges) {
    if ((low < 0 ? low + size + 1 : low) <= count && count <= (high < 0 ? high + size + 1 : high))
      return true;
  }
  return false;
}

/** Turn a failure into the reason that is shown to the player. */
export function explain(failure: Failure, board: Board): IllegalReason {
  const { why, footprint } = failure;
  const part = footprint.cells.length === 2 ? 'one half' : 'a part of it';
  return {
    code: why.code,
    text: why.text,
    cells: PICKS[why.pick](CELL_SETS[why.cells](failure), board),
    kind: why.word.replace('{kind}', footprint.kind).replace('{part}', part),
    marks: CELL_SETS[why.mark](failure),
  };
}

/** Those of the groups, largest first, that score; none if cells count one by one. */
export function scoringGroups({ join, first, last }: Tally, groups: number[][]): number[][] {
  return join ? groups.slice(first - 1, last ?? undefined) : [];
}

/** The points of a mask with these groups. */
export function tallyScore(tally: Tally, mask: Uint8Array, groups: number[][]): number {
  const sizes = tally.join
    ? scoringGroups(tally, groups).map((group) => group.length)
    : [...mask.filter(Boolean)].slice(tally.first - 1, tally.last ?? undefined);
  const values = sizes.map((size) => tally.value[size]);
  return values.length ? values.reduce(FOLDS[tally.fold]) : 0;
}

/** How the sizes of groups make a score, such as `5² + 4²`. */
export function shownSizes({ fold, term }: Tally, sizes: readonly string[]): string {
  return sizes.map((size) => term.replace('{n}', size)).join(fold === 'sum' ? ' + ' : ' × ');
}
