/** A game made from its value: boards and numbered placements, built once. */

import { Board } from './geometry';
import { key, layOut, type Footprint, type Layout, type Placement } from './layout';
import type { GameValue, StageValue } from './value';

export interface Swap {
  number: number;
  swap: true;
}

export type Move = Placement | Swap;

export function isSwap(move: Move): move is Swap {
  return 'swap' in move;
}

export class Game {
  readonly name: string;
  readonly stages: StageValue[];
  readonly boards: Board[];
  readonly layouts: Layout[] = [];
  readonly placements: Placement[] = [];
  readonly swap: Swap | null;

  constructor(readonly value: GameValue) {
    this.name = value.game;
    this.stages = value.stages;
    this.boards = value.stages.map(({ width, height, holes }) => new Board(width, height, holes));
    for (const [index, stage] of value.stages.entries()) {
      const layout = layOut(this.boards[index], stage, index);
      this.layouts.push(layout);
      for (const placement of layout.placements) this.placements.push(placement);
    }
    this.swap = value.swap === null ? null : { number: value.swap, swap: true };
  }

  move(number: number): Move | null {
    if (this.swap && number === this.swap.number) return this.swap;
    return this.placements[number] ?? null;
  }

  /** The footprint of a kind on these cells, if a piece covers just these. */
  footprint(stage: number, kind: string, cells: readonly number[]): Footprint | null {
    const sorted = [...cells].sort((a, b) => a - b);
    return this.layouts[stage].byCells.get(key(kind, sorted)) ?? null;
  }

  /** The placement that lays this face on a footprint, if a piece does. */
  face(stage: number, footprint: Footprint, light: readonly number[]): Placement | null {
    const wanted = [...light].sort((a, b) => a - b).join(',');
    return this.layouts[stage].faces[footprint.index].find((face) => face.light.join(',') === wanted) ?? null;
  }
}
