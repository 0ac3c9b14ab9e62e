/** A game built from its definition: boards and numbered placements. */

import { Board } from './geometry';
import { footprintKey, buildLayout, type Footprint, type Layout, type Placement } from './layout';
import type { GameDefinition, StageDefinition } from './definition';

export interface Swap {
  action: number;
  swap: true;
}

export type Move = Placement | Swap;

export function isSwap(move: Move): move is Swap {
  return 'swap' in move;
}

export class Game {
  readonly name: string;
  readonly stages: StageDefinition[];
  readonly boards: Board[];
  readonly layouts: Layout[] = [];
  readonly placements: Placement[] = [];
  readonly swap: Swap | null;

  constructor(readonly definition: GameDefinition) {
    this.name = definition.game;
    this.stages = definition.stages;
    this.boards = definition.stages.map(({ width, height, holes }) => new Board(width, height, holes));
    for (const [index, stage] of definition.stages.entries()) {
      const layout = buildLayout(this.boards[index], stage, index);
      this.layouts.push(layout);
      for (const placement of layout.placements) this.placements.push(placement);
    }
    this.swap = definition.swap === null ? null : { action: definition.swap, swap: true };
  }

  move(action: number): Move | null {
    if (this.swap && action === this.swap.action) return this.swap;
    return this.placements[action] ?? null;
  }

  /** The footprint of a kind on exactly these cells; null if no piece fits. */
  footprint(stage: number, kind: string, cells: readonly number[]): Footprint | null {
    const sorted = [...cells].sort((a, b) => a - b);
    return this.layouts[stage].byCells.get(footprintKey(kind, sorted)) ?? null;
  }

  /** The placement with this face on a footprint; null if no piece has it. */
  face(stage: number, footprint: Footprint, light: readonly number[]): Placement | null {
    const wanted = [...light].sort((a, b) => a - b).join(',');
    return this.layouts[stage].faces[footprint.index].find((face) => face.light.join(',') === wanted) ?? null;
  }
}
