/** A small board from the text of a summary, `WIDTH:CELLS`, without the definition of its game. */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const RIGHT = 8;
const UP = 16;
const NEW = 32;
/** What a cell shows, by its digit modulo 8; as `server/domain/thumbnails.py` writes it. */
const MARKS = ['slot', 'light', 'dark', 'plain', 'x', 'o', 'lower-light', 'lower-dark'] as const;
export type ThumbnailMark = (typeof MARKS)[number] | 'new';

export const CELL = 10;
const GAP = 0.6;

export interface ThumbnailDrawing {
  width: number;
  height: number;
  /** The path of all cells with the same mark. */
  paths: Partial<Record<ThumbnailMark, string>>;
}

/** Read a thumbnail; null if the text is missing or not one. */
export function drawThumbnail(text: string | null): ThumbnailDrawing | null {
  const [, side, cells] = /^(\d{1,2}):([A-Za-z0-9+/.]+)$/.exec(text ?? '') ?? [];
  const width = Number(side);
  if (!cells || !width || cells.length % width) return null;
  const height = cells.length / width;
  const values = [...cells].map((digit) => DIGITS.indexOf(digit));
  const paths: Partial<Record<ThumbnailMark, string>> = {};
  const add = (mark: ThumbnailMark, path: string) => (paths[mark] = (paths[mark] ?? '') + path);
  for (const [cell, value] of values.entries()) {
    if (value < 0) continue;
    const column = cell % width;
    const x = column * CELL;
    const y = (height - 1 - Math.floor(cell / width)) * CELL;
    const mark = MARKS[value & 7];
    if (mark === 'x' || mark === 'o') {
      add('slot', box(x, y, GAP, GAP, GAP, GAP));
      add(mark, mark === 'x' ? cross(x, y) : ring(x, y));
      continue;
    }
    // A piece has no gap inside.
    const left = column > 0 && values[cell - 1] > 0 && values[cell - 1] & RIGHT ? 0 : GAP;
    const below = cell >= width && values[cell - width] > 0 && values[cell - width] & UP ? 0 : GAP;
    const shape = box(x, y, left, value & UP ? 0 : GAP, value & RIGHT ? 0 : GAP, below);
    add(mark, shape);
    if (value & NEW) add('new', shape);
  }
  return { width: width * CELL, height: height * CELL, paths };
}

function box(x: number, y: number, left: number, top: number, right: number, bottom: number): string {
  const wide = round(CELL - left - right);
  return `M${round(x + left)} ${round(y + top)}h${wide}v${round(CELL - top - bottom)}h${-wide}z`;
}

function cross(x: number, y: number): string {
  return `M${x + 3} ${y + 3}l4 4M${x + 7} ${y + 3}l-4 4`;
}

function ring(x: number, y: number): string {
  return `M${x + 2.6} ${y + 5}a2.4 2.4 0 1 0 4.8 0a2.4 2.4 0 1 0-4.8 0`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
