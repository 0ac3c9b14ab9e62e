/** Coordinates and paths of a drawn board, in the units of the theme. */

import { geometry } from '$theme';
import type { Board } from '../rules/geometry';
import { outline, type Grid } from './outline';

export const G = geometry;

export class Drawing implements Grid {
  readonly cell = G.cell;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly full: { width: number; height: number };
  readonly gutter: number;
  /** The outlines of footprints by inset: a board is drawn again after every move. */
  private readonly paths = new Map<number, WeakMap<readonly number[], string>>();

  constructor(
    readonly board: Board,
    coordinates: boolean,
  ) {
    this.gutter = coordinates ? G.margin : 0;
    this.left = this.gutter + G.frame;
    this.top = G.frame;
    this.width = board.width;
    this.height = board.height;
    this.full = {
      width: this.gutter + 2 * G.frame + board.width * G.cell,
      height: this.gutter + 2 * G.frame + board.height * G.cell,
    };
  }

  /** The left edge of a column. */
  x(column: number): number {
    return this.left + column * G.cell;
  }

  /** The upper edge of a row. */
  y(row: number): number {
    return this.top + (this.height - 1 - row) * G.cell;
  }

  centre(cell: number): [number, number] {
    return [this.x(this.board.column(cell)) + G.cell / 2, this.y(this.board.row(cell)) + G.cell / 2];
  }

  /** The cell under a point of the picture, or -1. */
  cellAt(x: number, y: number): number {
    const column = Math.floor((x - this.left) / G.cell);
    const row = this.height - 1 - Math.floor((y - this.top) / G.cell);
    return this.board.cellAt(column, row);
  }

  /** The outline of a piece. */
  piece(cells: readonly number[], inset: number = G.piece_gap): string {
    let paths = this.paths.get(inset);
    if (!paths) this.paths.set(inset, (paths = new WeakMap()));
    let path = paths.get(cells);
    if (path === undefined) {
      path = outline(cells, this, { inset, radius: G.piece_radius });
      paths.set(cells, path);
    }
    return path;
  }

  /** The squares of one colour of a piece, as one path. */
  squares(own: readonly number[], piece: readonly number[], inset: number = G.piece_gap): string {
    return own.map((cell) => this.square(cell, piece, own, inset)).join('');
  }

  /** One square of a piece: flush with its neighbours in the piece, inset where the piece ends. */
  private square(cell: number, piece: readonly number[], same: readonly number[], inset: number): string {
    const { board } = this;
    const column = board.column(cell);
    const row = board.row(cell);
    const at = (dx: number, dy: number) => board.cellAt(column + dx, row + dy);
    const inside = (dx: number, dy: number) => piece.includes(at(dx, dy));
    // Squares of the same colour overlap slightly, so that no seam shows.
    const reach = (dx: number, dy: number) => (same.includes(at(dx, dy)) ? -0.3 : inside(dx, dy) ? 0 : inset);
    const left = this.x(column) + reach(-1, 0);
    const right = this.x(column) + G.cell - reach(1, 0);
    const top = this.y(row) + reach(0, 1);
    const bottom = this.y(row) + G.cell - reach(0, -1);
    const corners: [number, number, number, number][] = [
      [left, top, -1, 1],
      [right, top, 1, 1],
      [right, bottom, 1, -1],
      [left, bottom, -1, -1],
    ];
    return corners
      .map(([x, y, sx, sy], index) => {
        const round = !inside(sx, 0) && !inside(0, sy) ? G.piece_radius : 0;
        const notch = inside(sx, 0) && inside(0, sy) && !inside(sx, sy) ? inset : 0;
        return corner(x, y, sx, sy, round, notch, index);
      })
      .join('')
      .concat('Z');
  }

  /** Thin lines between the squares of a piece. */
  joints(cells: readonly number[]): string {
    const { board } = this;
    let path = '';
    for (const cell of cells) {
      const column = board.column(cell);
      const row = board.row(cell);
      if (cells.includes(board.cellAt(column + 1, row))) {
        path += `M${this.x(column + 1)} ${this.y(row) + G.piece_gap}v${G.cell - 2 * G.piece_gap}`;
      }
      if (cells.includes(board.cellAt(column, row + 1))) {
        path += `M${this.x(column) + G.piece_gap} ${this.y(row)}h${G.cell - 2 * G.piece_gap}`;
      }
    }
    return path;
  }

  /** The outline of a scoring group; if corners connect, bridges join the cells there. */
  group(cells: readonly number[], joined: boolean): string {
    const options = { inset: G.outline_inset, radius: G.outline_radius, bridge: joined ? 9 : undefined };
    return outline(cells, this, options);
  }

  /** The cell of a group that carries its badge: the one nearest to the centre. */
  badge(cells: readonly number[]): number {
    const { board } = this;
    const mean = (of: (cell: number) => number) =>
      cells.reduce((sum, cell) => sum + of(cell), 0) / cells.length;
    const x = mean((cell) => board.column(cell));
    const y = mean((cell) => board.row(cell));
    const distance = (cell: number) => (board.column(cell) - x) ** 2 + (board.row(cell) - y) ** 2;
    return cells.reduce((best, cell) => (distance(cell) < distance(best) ? cell : best), cells[0]);
  }

  /** All free cells as one path of faint rounded squares. */
  slots(): string {
    const path: string[] = [];
    const side = G.cell - 2 * G.slot_inset;
    const r = G.slot_radius;
    const flat = side - 2 * r;
    for (let cell = 0; cell < this.board.size; cell++) {
      if (this.board.isHole(cell)) continue;
      const x = this.x(this.board.column(cell)) + G.slot_inset;
      const y = this.y(this.board.row(cell)) + G.slot_inset;
      path.push(
        `M${x + r} ${y}h${flat}a${r} ${r} 0 0 1 ${r} ${r}v${flat}a${r} ${r} 0 0 1 -${r} ${r}` +
          `h-${flat}a${r} ${r} 0 0 1 -${r} -${r}v-${flat}a${r} ${r} 0 0 1 ${r} -${r}Z`,
      );
    }
    return path.join('');
  }

  /** The tinted inner boards of sides 7 and 9 on a larger square board with an odd side. */
  rings(): { x: number; y: number; side: number; inner: boolean }[] {
    const { width, height } = this.board;
    if (width !== height || width % 2 === 0) return [];
    return [9, 7]
      .filter((side) => side < width)
      .map((side) => {
        const margin = (width - side) / 2;
        return { x: this.x(margin), y: this.y(height - 1 - margin), side: side * G.cell, inner: side === 7 };
      });
  }
}

const drawings = new WeakMap<Board, Map<boolean, Drawing>>();

/** The drawing of a board, always the same: a new one would have every piece drawn again. */
export function drawingOf(board: Board, coordinates: boolean): Drawing {
  const known = drawings.get(board) ?? new Map<boolean, Drawing>();
  drawings.set(board, known);
  const drawing = known.get(coordinates) ?? new Drawing(board, coordinates);
  known.set(coordinates, drawing);
  return drawing;
}

/** One corner of a square: sharp, rounded, or notched where the piece has an inner corner. */
function corner(
  x: number,
  y: number,
  sx: number,
  sy: number,
  round: number,
  notch: number,
  index: number,
): string {
  // The corners run clockwise from the upper left.
  const vertical = index % 2 === 0;
  const cut = round || notch;
  const alongX: [number, number] = [x - sx * cut, y];
  const alongY: [number, number] = [x, y + sy * cut];
  const [from, to] = vertical ? [alongY, alongX] : [alongX, alongY];
  const start = `${index ? 'L' : 'M'}${from[0]} ${from[1]}`;
  if (round) return `${start}A${round} ${round} 0 0 1 ${to[0]} ${to[1]}`;
  if (notch) return `${start}L${x - sx * cut} ${y + sy * cut}L${to[0]} ${to[1]}`;
  return start;
}
