/** Placements: every footprint and face of a stage, and the orientations of a piece. */

import type { Board } from './geometry';
import type { FootprintDefinition, PieceDefinition, StageProgram } from './definition';
import { compileTest, type CompiledTest } from './program';

export interface Footprint {
  index: number;
  kind: string;
  kindIndex: number;
  cells: number[];
}

export interface Placement {
  action: number;
  stage: number;
  footprint: Footprint;
  light: number[];
  dark: number[];
  stock: number;
}

export interface Layout {
  footprints: Footprint[];
  placements: Placement[];
  /** The placements on each footprint. */
  faces: Placement[][];
  /** Footprints by `footprintKey`. */
  byCells: Map<string, Footprint>;
  tests: CompiledTest[];
}

/** One square of a piece: column and row in the piece's frame, and colour. */
export type Square = [number, number, string];

/** Flip a piece, turn it by anticlockwise quarter turns, and move it to the corner of its frame. */
export function oriented(piece: PieceDefinition, turns: number, flipped: boolean): Square[] {
  let squares: Square[] = piece.squares.map(([x, y], i) => [flipped ? -x : x, y, piece.colours[i]]);
  for (let turn = 0; turn < turns; turn++) squares = squares.map(([x, y, c]) => [-y, x, c]);
  const left = Math.min(...squares.map(([x]) => x));
  const bottom = Math.min(...squares.map(([, y]) => y));
  return squares.map(([x, y, c]): Square => [x - left, y - bottom, c]).sort(bySquare);
}

function bySquare(a: Square, b: Square): number {
  return a[0] - b[0] || a[1] - b[1];
}

/** The key of a footprint in `byCells`: its kind and its cells, lowest first. */
export function footprintKey(kind: string, cells: readonly number[]): string {
  return `${kind}:${cells.join(',')}`;
}

/** Build the footprints, faces and tests of a stage. */
export function buildLayout(
  board: Board,
  stage: StageProgram,
  definitions: readonly FootprintDefinition[],
  index: number,
): Layout {
  const layout: Layout = { footprints: [], placements: [], faces: [], byCells: new Map(), tests: [] };
  for (const { kind: kindIndex, cells, action, faces } of definitions) {
    const footprint: Footprint = {
      index: layout.footprints.length,
      kind: stage.kinds[kindIndex],
      kindIndex,
      cells,
    };
    layout.footprints.push(footprint);
    layout.byCells.set(footprintKey(footprint.kind, cells), footprint);
    const placements = faces.map(([mask, stock], offset): Placement => {
      const light = mask < 0 ? [] : cells.filter((_, i) => mask & (1 << i));
      const dark = mask < 0 ? [] : cells.filter((_, i) => !(mask & (1 << i)));
      return { action: action + offset, stage: index, footprint, light, dark, stock };
    });
    layout.faces.push(placements);
    layout.placements.push(...placements);
  }
  layout.tests = stage.tests.map((test) => compileTest(test, layout.footprints, board));
  return layout;
}

/** The cells under a shape with its frame's corner at this column and row; null if it does not fit. */
export function placeAt(board: Board, shape: Square[], column: number, row: number) {
  const cells: number[] = [];
  const light: number[] = [];
  const dark: number[] = [];
  for (const [x, y, colour] of shape) {
    const cell = board.cellAt(column + x, row + y);
    if (cell < 0) return null;
    cells.push(cell);
    if (colour === 'l') light.push(cell);
    if (colour === 'd') dark.push(cell);
  }
  for (const list of [cells, light, dark]) list.sort((a, b) => a - b);
  return { cells, light, dark };
}
