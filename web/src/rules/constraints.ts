/** What may lie where: the rules of placing, each able to say why it forbids a footprint. */

import { cellsInMask, type Board } from './geometry';
import type { Footprint } from './layout';
import type { IllegalReason } from './reasons';
import type { ConstraintDefinition } from './definition';

/** What a constraint looks at: the pieces of this stage and the ground they lie on. */
export interface PlacementContext {
  board: Board;
  covered: Uint8Array;
  /** For each cell, 1 + the kind of the piece of this stage on it, or 0. */
  kinds: Uint8Array;
  /** The cells covered by the stage before. */
  ground: Uint8Array;
  bare: boolean;
}

/** The reason why a rule forbids a footprint, or null where it allows it. */
export function violation(
  rule: ConstraintDefinition,
  footprint: Footprint,
  context: PlacementContext,
): IllegalReason | null {
  const { board, covered } = context;
  switch (rule.type) {
    case 'must-touch': {
      if (context.bare || footprint.halo.some((cell) => covered[cell])) return null;
      return { code: 'no-touch', cells: board.names(footprint.cells), kind: '' };
    }
    case 'same-kind-apart': {
      const kindMark = footprint.kindIndex + 1;
      const touched = footprint.halo.filter((cell) => context.kinds[cell] === kindMark);
      if (!touched.length) return null;
      return { code: 'same-kind', cells: [board.names(touched)[0]], kind: footprint.kind };
    }
    case 'no-full-block': {
      const filled = (cell: number) => covered[cell] || footprint.cells.includes(cell);
      const full = footprint.blocks.find((block) => block.every(filled));
      if (!full) return null;
      const corners = [board.name(full[0]), board.name(full[full.length - 1])];
      return { code: 'full-block', cells: corners, kind: `${rule.width}×${rule.height}` };
    }
    case 'first-covers': {
      if (!context.bare || rule.cells.every((cell) => footprint.cells.includes(cell))) return null;
      return { code: 'first-covers', cells: board.names(rule.cells), kind: '' };
    }
    case 'level-ground': {
      const hanging = footprint.cells.filter((cell) => !context.ground[cell]);
      if (!hanging.length || hanging.length === footprint.cells.length) return null;
      const part = footprint.cells.length === 2 ? 'one half' : 'a part of it';
      return { code: 'not-level', cells: [board.names(hanging)[0]], kind: part };
    }
  }
}

/** The cells of the board that a reason speaks of, to be shown there. */
export function violationCells(
  reason: IllegalReason,
  footprint: Footprint | null,
  context: PlacementContext,
): number[] {
  if (!footprint) return [];
  switch (reason.code) {
    case 'occupied':
      return footprint.cells.filter((cell) => context.covered[cell]);
    case 'same-kind':
      return footprint.halo.filter((cell) => context.kinds[cell] === footprint.kindIndex + 1);
    case 'full-block': {
      const filled = (cell: number) => context.covered[cell] || footprint.cells.includes(cell);
      return footprint.blocks.find((block) => block.every(filled)) ?? [];
    }
    case 'first-covers':
      return reason.cells.map((name) => context.board.cell(name));
    case 'not-level':
      return cellsInMask(context.ground).filter((cell) => footprint.cells.includes(cell));
    default:
      return [];
  }
}
