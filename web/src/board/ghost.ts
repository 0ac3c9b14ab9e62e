/** The ghost: the held piece at its current place, and whether that placement is legal. */

import { placeAt, oriented, type Placement, type Square } from '../rules/layout';
import { reason as makeReason, type IllegalReason } from '../rules/reasons';
import type { State } from '../rules/state';
import { LIGHT, type Colour, type PieceDefinition } from '../rules/definition';
import type { Stage } from '../rules/game';

export interface Ghost {
  kind: string;
  kindIndex: number;
  cells: number[];
  light: number[];
  dark: number[];
  /** The matching move; null if no piece fits these cells. */
  placement: Placement | null;
  /** Why the move is illegal; null if it is legal. */
  reason: IllegalReason | null;
}

export type Step = [number, number];

/**
 * Return the steps from one half of a pair to the other, clockwise from the right.
 *
 * Return null unless all pieces of the stage are two-square, two-coloured pieces of one kind; then the player
 * chooses pieces from a tray.
 */
export function pairSteps(stage: Stage): Step[] | null {
  const kinds = new Set(stage.pieces.map((piece) => piece.kind));
  const pairs = stage.pieces.every((piece) => piece.colours.length === 2 && piece.colours !== '..');
  if (kinds.size !== 1 || !pairs) return null;
  const steps = new Map<string, Step>();
  for (const piece of stage.pieces) {
    for (let turns = 0; turns < (piece.can_rotate ? 4 : 1); turns++) {
      const [a, b] = oriented(piece, turns, false);
      for (const sign of [1, -1]) {
        // `|| 0` turns -0 into 0.
        const step: Step = [sign * (b[0] - a[0]) || 0, sign * (b[1] - a[1]) || 0];
        steps.set(step.join(), step);
      }
    }
  }
  const angle = ([x, y]: Step) => (Math.atan2(-y, x) + 2 * Math.PI) % (2 * Math.PI);
  return [...steps.values()].sort((a, b) => angle(a) - angle(b));
}

/** A pair with the half of this colour (if flipped, the other half) on this cell; null off the board. */
export function pairGhost(
  state: State,
  cell: number,
  step: Step,
  flipped: boolean,
  colour: Colour = state.colourToMove,
): Ghost | null {
  const { board } = state;
  const other = board.cellAt(board.column(cell) + step[0], board.row(cell) + step[1]);
  if (other < 0) return null;
  const lightHere = (colour === LIGHT) !== flipped;
  const light = lightHere ? [cell] : [other];
  const dark = lightHere ? [other] : [cell];
  return checkedGhost(state, state.currentStage.pieces[0].kind, [cell, other], light, dark);
}

/** The squares of a held piece, and the one under the pointer. */
export function held(
  piece: PieceDefinition,
  turns: number,
  flipped: boolean,
): { shape: Square[]; anchor: Square } {
  const shape = oriented(piece, turns, flipped);
  const middle = (axis: 0 | 1) => shape.reduce((sum, square) => sum + square[axis], 0) / shape.length;
  const x = middle(0);
  const y = middle(1);
  const distance = (square: Square) => (square[0] - x) ** 2 + (square[1] - y) ** 2;
  const anchor = shape.reduce((best, square) => (distance(square) < distance(best) - 1e-9 ? square : best));
  return { shape, anchor };
}

/** A piece held over this cell, moved back onto the board if it would stick out. */
export function pieceGhost(
  state: State,
  piece: PieceDefinition,
  turns: number,
  flipped: boolean,
  cell: number,
): Ghost | null {
  const { board } = state;
  const { shape, anchor } = held(piece, turns, flipped);
  const wide = Math.max(...shape.map(([x]) => x));
  const high = Math.max(...shape.map(([, y]) => y));
  const clamp = (value: number, max: number) => Math.max(0, Math.min(value, max));
  const column = clamp(board.column(cell) - anchor[0], board.width - 1 - wide);
  const row = clamp(board.row(cell) - anchor[1], board.height - 1 - high);
  const placed = placeAt(board, shape, column, row);
  return placed && checkedGhost(state, piece.kind, placed.cells, placed.light, placed.dark);
}

/** The ghost of a given move, such as a hint. */
export function ghostOf(state: State, placement: Placement): Ghost {
  return checkedGhost(
    state,
    placement.footprint.kind,
    placement.footprint.cells,
    placement.light,
    placement.dark,
  );
}

function checkedGhost(state: State, kind: string, cells: number[], light: number[], dark: number[]): Ghost {
  const footprint = state.game.footprint(state.stageIndex, kind, cells);
  const placement = footprint && state.game.face(state.stageIndex, footprint, light, dark);
  const reason = placement ? state.illegalReason(placement) : makeReason('not-a-piece');
  const kindIndex = state.currentStage.kinds.indexOf(kind);
  return { kind, kindIndex, cells, light, dark, placement, reason };
}
