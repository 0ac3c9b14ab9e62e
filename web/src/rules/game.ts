/** A game built from its definition: boards and numbered placements. */

import type { GameDefinition, PieceDefinition, StageProgram } from './definition';
import { Board } from './geometry';
import { buildLayout, footprintKey, type Footprint, type Layout, type Placement } from './layout';
import { checkProgram } from './program';

/** A stage: its compiled rules and its pieces. */
export type Stage = StageProgram & { pieces: PieceDefinition[] };

export interface Swap {
  action: number;
  swap: true;
}

/** The choice of the komi, if the rules let a player name it: half points for Light. */
export interface NameKomi {
  action: number;
  komi: number;
}

export type Move = Placement | Swap | NameKomi;

export function isSwap(move: Move): move is Swap {
  return 'swap' in move;
}

export function isKomi(move: Move): move is NameKomi {
  return 'komi' in move;
}

export function isPlacement(move: Move): move is Placement {
  return 'footprint' in move;
}

export class Game {
  readonly name: string;
  readonly stages: Stage[] = [];
  readonly boards: Board[] = [];
  readonly layouts: Layout[] = [];
  readonly placements: Placement[] = [];
  readonly swap: Swap | null;
  /** The komis that a player may name first; none if the rules fix the komi. */
  readonly komis: NameKomi[];
  /** The placements that lie on the board when the game starts. */
  readonly opening: Placement[];

  constructor(readonly definition: GameDefinition) {
    const { program, stages } = definition;
    checkProgram(program);
    this.name = definition.game;
    for (const [index, stage] of program.stages.entries()) {
      const { width, height, holes } = stage.board;
      const { pieces, footprints } = stages[index];
      const board = new Board(width, height, holes);
      const layout = buildLayout(board, stage, footprints, index);
      this.stages.push({ ...stage, pieces });
      this.boards.push(board);
      this.layouts.push(layout);
      for (const placement of layout.placements) this.placements.push(placement);
    }
    this.swap = program.swap_action === null ? null : { action: program.swap_action, swap: true };
    const named = program.action_count - program.komi_names.length;
    this.komis = program.komi_names.map((komi, index) => ({ action: named + index, komi }));
    this.opening = program.opening.map((action) => this.placements[action]);
  }

  move(action: number): Move | null {
    if (this.swap && action === this.swap.action) return this.swap;
    return this.placements[action] ?? this.komis.find((move) => move.action === action) ?? null;
  }

  /** The footprint of a kind on exactly these cells; null if no piece fits. */
  footprint(stage: number, kind: string, cells: readonly number[]): Footprint | null {
    const sorted = [...cells].sort((a, b) => a - b);
    return this.layouts[stage].byCells.get(footprintKey(kind, sorted)) ?? null;
  }

  /** The placement with this face on a footprint; null if no piece has it. */
  face(
    stage: number,
    footprint: Footprint,
    light: readonly number[],
    dark: readonly number[],
  ): Placement | null {
    const key = (...sides: (readonly number[])[]) =>
      sides.map((cells) => [...cells].sort((a, b) => a - b).join()).join('/');
    const wanted = key(light, dark);
    return (
      this.layouts[stage].faces[footprint.index].find((face) => key(face.light, face.dark) === wanted) ?? null
    );
  }
}
