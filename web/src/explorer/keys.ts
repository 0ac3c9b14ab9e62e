/** Keys of positions up to symmetry, 48 bits: as `taiji.analysis.explorer.keys`. */

import type { Placement } from '../rules/layout';
import type { State } from '../rules/state';

export type Symmetries = readonly (readonly number[])[];
/** Two 32-bit sums for each symmetry, one after the other. */
export type Lanes = Uint32Array;

const LANES = [0x9e3779b1, 0x85ebca77];

/** The summand of a covered cell; `colour` is 0 for none, 1 for light, 2 for dark. */
export function cellHash(stage: number, kind: number, colour: number, cell: number, lane: number): number {
  let value = Math.imul(((stage * 64 + kind) * 4 + colour) * 1024 + cell + 1, LANES[lane]);
  value ^= value >>> 16;
  value = Math.imul(value, 0x85ebca6b);
  value ^= value >>> 13;
  value = Math.imul(value, 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** Add a placement to the sums. */
export function withPlacement(lanes: Lanes, move: Placement, symmetries: Symmetries): Lanes {
  const sums = Uint32Array.from(lanes);
  const { cells, kindIndex } = move.footprint;
  for (const cell of cells) {
    const colour = move.light.includes(cell) ? 1 : move.dark.includes(cell) ? 2 : 0;
    for (const [index, image] of symmetries.entries()) {
      sums[2 * index] += cellHash(move.stage, kindIndex, colour, image[cell], 0);
      sums[2 * index + 1] += cellHash(move.stage, kindIndex, colour, image[cell], 1);
    }
  }
  return sums;
}

export function lanesOf(state: State, symmetries: Symmetries): Lanes {
  let lanes: Lanes = new Uint32Array(2 * symmetries.length);
  for (const layer of state.layers)
    for (const placement of layer.placed) lanes = withPlacement(lanes, placement, symmetries);
  return lanes;
}

/** The key: the smallest of all symmetric images. */
export function keyOf(lanes: Lanes): number {
  let least = Infinity;
  for (let index = 0; index < lanes.length; index += 2)
    least = Math.min(least, (lanes[index + 1] & 0xffff) * 2 ** 32 + lanes[index]);
  return least;
}
