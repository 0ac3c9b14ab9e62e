/** The piece in hand: where it would lie, and whether it may. */

import { evidence } from '../rules/constraints';
import { lay, oriented, type Placement, type Square } from '../rules/layout';
import type { Reason } from '../rules/reasons';
import type { State } from '../rules/state';
import { LIGHT, type PieceValue, type StageValue } from '../rules/value';

export interface Ghost {
  kind: string;
  kindIndex: number;
  cells: number[];
  light: number[];
  dark: number[];
  /** The move it would be, where it is one. */
  placement: Placement | null;
  /** Why it may not lie there, or null where it may. */
  reason: Reason | null;
  /** The cells that show the reason. */
  evidence: number[];
}

export type Step = [number, number];

/**
 * The steps from one half to the other, clockwise from the right, where a stage is played with two-square,
 * two-coloured pieces of one kind only; else null, and pieces are chosen from a tray.
 */
export function pairSteps(stage: StageValue): Step[] | null {
  const kinds = new Set(stage.pieces.map((piece) => piece.kind));
  const pairs = stage.pieces.every((piece) => piece.colours.length === 2 && piece.colours !== '..');
  if (kinds.size !== 1 || !pairs) return null;
  const found = new Map<string, Step>();
  for (const piece of stage.pieces) {
    for (let turns = 0; turns < (piece.turn ? 4 : 1); turns++) {
      const [a, b] = oriented(piece, turns, false);
      for (const sign of [1, -1]) {
        // Without `|| 0` a step of zero may be a negative one.
        const step: Step = [sign * (b[0] - a[0]) || 0, sign * (b[1] - a[1]) || 0];
        found.set(step.join(), step);
      }
    }
  }
  const angle = ([x, y]: Step) => (Math.atan2(-y, x) + 2 * Math.PI) % (2 * Math.PI);
  return [...found.values()].sort((a, b) => angle(a) - angle(b));
}

/** A pair with the mover's half on this cell (the other's, where flipped), or null off the board. */
export function pairGhost(state: State, cell: number, step: Step, flipped: boolean): Ghost | null {
  const { board } = state;
  const other = board.at(board.column(cell) + step[0], board.row(cell) + step[1]);
  if (other < 0) return null;
  const lightHere = (state.toMove === LIGHT) !== flipped;
  const light = lightHere ? [cell] : [other];
  const dark = lightHere ? [other] : [cell];
  return judged(state, state.rules.pieces[0].kind, [cell, other], light, dark);
}

/** The squares of a piece as it is held, and which of them lies under the pointer. */
export function held(piece: PieceValue, turns: number, flipped: boolean): { shape: Square[]; anchor: Square } {
  const shape = oriented(piece, turns, flipped);
  const middle = (axis: 0 | 1) => shape.reduce((sum, square) => sum + square[axis], 0) / shape.length;
  const x = middle(0);
  const y = middle(1);
  const distance = (square: Square) => (square[0] - x) ** 2 + (square[1] - y) ** 2;
  const anchor = shape.reduce((best, square) => (distance(square) < distance(best) - 1e-9 ? square : best));
  return { shape, anchor };
}

/** A piece held over this cell, pushed back onto the board where it would stick out. */
export function pieceGhost(state: State, piece: PieceValue, turns: number, flipped: boolean, cell: number): Ghost | null {
  const { board } = state;
  const { shape, anchor } = held(piece, turns, flipped);
  const wide = Math.max(...shape.map(([x]) => x));
  const high = Math.max(...shape.map(([, y]) => y));
  const clamp = (value: number, most: number) => Math.max(0, Math.min(value, most));
  const column = clamp(board.column(cell) - anchor[0], board.width - 1 - wide);
  const row = clamp(board.row(cell) - anchor[1], board.height - 1 - high);
  const laid = lay(board, shape, column, row);
  return laid && judged(state, piece.kind, laid.cells, laid.light, laid.dark);
}

/** The ghost of a move that is known, such as a hint. */
export function ghostOf(state: State, placement: Placement): Ghost {
  return judged(state, placement.footprint.kind, placement.footprint.cells, placement.light, placement.dark);
}

function judged(state: State, kind: string, cells: number[], light: number[], dark: number[]): Ghost {
  const footprint = state.game.footprint(state.stage, kind, cells);
  const placement = footprint && state.game.face(state.stage, footprint, light);
  const reason: Reason | null = placement
    ? state.whyNot(placement)
    : { code: 'not-a-piece', cells: [], kind: '' };
  const shown = reason ? evidence(reason, footprint, state.site) : [];
  const kindIndex = state.rules.kinds.indexOf(kind);
  return { kind, kindIndex, cells, light, dark, placement, reason, evidence: shown };
}
