/** Move notation: `e4/e5`, `e4e5/e6f5`, `e4e5e6f5`, `swap`. */

import { isSwap, type Game, type Move } from './game';
import type { State } from './state';

/** The canonical text of a move. */
export function moveText(game: Game, move: Move): string {
  if (isSwap(move)) return 'swap';
  const board = game.boards[move.stage];
  const names = (cells: number[]) => board.names(cells).join('');
  if (!move.light.length && !move.dark.length) return names(move.footprint.cells);
  return `${names(move.light)}/${names(move.dark)}`;
}

/** Parse a move in any case and cell order; null if it is not a move of this stage. */
export function readMove(state: State, text: string): Move | null {
  const { game, board, stageIndex } = state;
  const tidy = text.trim().toLowerCase();
  if (tidy === 'swap') return game.swap;
  const [first, second] = tidy.split('/').map((part) => cellsOf(part, (name) => board.cell(name)));
  if (!first || (tidy.includes('/') && !second)) return null;
  const light = second ? first : [];
  const cells = [...first, ...(second ?? [])];
  for (const kind of new Set(state.currentStage.pieces.map((piece) => piece.kind))) {
    const footprint = game.footprint(stageIndex, kind, cells);
    const face = footprint && game.face(stageIndex, footprint, light);
    if (face) return face;
  }
  return null;
}

function cellsOf(text: string, find: (name: string) => number): number[] | null {
  const names = text.match(/[a-z][0-9]+/g) ?? [];
  if (!names.length || names.join('') !== text) return null;
  const cells = names.map(find);
  return cells.includes(-1) ? null : cells;
}
