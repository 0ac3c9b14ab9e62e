/** Boards: rectangles of numbered cells, `a1` = 0 at the bottom left, with holes. */

import type { Adjacency } from './definition';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const EDGE_STEPS = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
];
const KING_STEPS = [...EDGE_STEPS, [1, 1], [1, -1], [-1, 1], [-1, -1]];

export class Board {
  readonly size: number;
  readonly edgeNeighbours: readonly number[][];
  readonly kingNeighbours: readonly number[][];
  private readonly hole: Uint8Array;

  constructor(
    readonly width: number,
    readonly height: number,
    readonly holes: readonly number[] = [],
  ) {
    this.size = width * height;
    this.hole = maskOf(this.size, holes);
    this.edgeNeighbours = this.neighboursBy(EDGE_STEPS);
    this.kingNeighbours = this.neighboursBy(KING_STEPS);
  }

  /** The cell in this column and row, or -1 off the board or in a hole. */
  cellAt(column: number, row: number): number {
    if (column < 0 || row < 0 || column >= this.width || row >= this.height) return -1;
    const cell = row * this.width + column;
    return this.hole[cell] ? -1 : cell;
  }

  column(cell: number): number {
    return cell % this.width;
  }

  row(cell: number): number {
    return Math.floor(cell / this.width);
  }

  isHole(cell: number): boolean {
    return this.hole[cell] === 1;
  }

  name(cell: number): string {
    return `${LETTERS[this.column(cell)]}${this.row(cell) + 1}`;
  }

  /** The names of some cells, sorted by column, then row. */
  names(cells: readonly number[]): string[] {
    const key = (cell: number) => this.column(cell) * 1000 + this.row(cell);
    return [...cells].sort((a, b) => key(a) - key(b)).map((cell) => this.name(cell));
  }

  /** The cell of this name, or -1 if there is none. */
  cell(name: string): number {
    const match = /^([a-z])([1-9][0-9]{0,2})$/i.exec(name);
    return match ? this.cellAt(LETTERS.indexOf(match[1].toLowerCase()), Number(match[2]) - 1) : -1;
  }

  neighboursOf(adjacency: Adjacency): readonly number[][] {
    return adjacency === 'edge' ? this.edgeNeighbours : this.kingNeighbours;
  }

  /** The cells next to some cells, lowest first. */
  around(cells: readonly number[], adjacency: Adjacency): number[] {
    const neighbours = this.neighboursOf(adjacency);
    const mask = maskOf(
      this.size,
      cells.flatMap((cell) => neighbours[cell]),
    );
    for (const cell of cells) mask[cell] = 0;
    return cellsInMask(mask);
  }

  /** The connected groups of the cells in a mask: largest first, then by their lowest cell. */
  groups(mask: Uint8Array, adjacency: Adjacency): number[][] {
    const near = this.neighboursOf(adjacency);
    const seen = new Uint8Array(this.size);
    const result: number[][] = [];
    for (let start = 0; start < this.size; start++) {
      if (!mask[start] || seen[start]) continue;
      seen[start] = 1;
      const group = [start];
      for (let index = 0; index < group.length; index++) {
        for (const cell of near[group[index]]) {
          if (mask[cell] && !seen[cell]) {
            seen[cell] = 1;
            group.push(cell);
          }
        }
      }
      result.push(group);
    }
    return result.sort((a, b) => b.length - a.length || a[0] - b[0]);
  }

  private neighboursBy(steps: number[][]): number[][] {
    const result: number[][] = [];
    for (let cell = 0; cell < this.size; cell++) {
      const near = steps.map(([dx, dy]) => this.cellAt(this.column(cell) + dx, this.row(cell) + dy));
      result.push(near.filter((other) => other >= 0));
    }
    return result;
  }
}

/** A mask of `size` cells with these cells set. */
export function maskOf(size: number, cells: Iterable<number>): Uint8Array {
  const marks = new Uint8Array(size);
  for (const cell of cells) marks[cell] = 1;
  return marks;
}

/** The cells set in a mask, lowest first. */
export function cellsInMask(marks: Uint8Array): number[] {
  const cells: number[] = [];
  for (let cell = 0; cell < marks.length; cell++) if (marks[cell]) cells.push(cell);
  return cells;
}
