import { describe, expect, test } from 'vitest';
import { outline, type Grid } from '../src/board/outline';

const grid: Grid = { cell: 10, left: 0, top: 0, width: 4, height: 4 };
const at = (x: number, y: number) => y * 4 + x;
const loops = (path: string) => (path.match(/M/g) ?? []).length;

describe('outline', () => {
  test('goes round one cell, inside it', () => {
    const path = outline([at(0, 0)], grid, { inset: 1, radius: 0 });
    const points = [...path.matchAll(/[ML]([\d.]+) ([\d.]+)/g)].map(([, x, y]) => `${x},${y}`);
    expect(new Set(points)).toEqual(new Set(['1,31', '9,31', '9,39', '1,39']));
  });

  test('is one loop round a group, two with a hole in it', () => {
    expect(loops(outline([at(0, 0), at(1, 0), at(1, 1)], grid, { inset: 1, radius: 2 }))).toBe(1);
    const ring = [0, 1, 2].flatMap((x) => [0, 1, 2].map((y) => at(x, y))).filter((cell) => cell !== at(1, 1));
    expect(loops(outline(ring, grid, { inset: 1, radius: 2 }))).toBe(2);
  });

  test('joins cells at a corner only where corners count', () => {
    const diagonal = [at(0, 0), at(1, 1), at(2, 2)];
    expect(loops(outline(diagonal, grid, { inset: 1, radius: 2 }))).toBe(3);
    expect(loops(outline(diagonal, grid, { inset: 1, radius: 2, bridge: 3 }))).toBe(1);
  });

  test('joins round a corner from both sides', () => {
    const pinwheel = [at(0, 0), at(1, 1), at(2, 0), at(1, 2)];
    expect(loops(outline(pinwheel, grid, { inset: 1, radius: 2, bridge: 3 }))).toBe(1);
    const closed = [at(1, 0), at(0, 1), at(2, 1), at(1, 2)];
    expect(loops(outline(closed, grid, { inset: 1, radius: 2, bridge: 3 }))).toBe(2);
  });
});
