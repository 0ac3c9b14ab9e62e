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
  const parts = tidy.split('/').map((part) => cellsOf(part, (name) => board.cell(name)));
  const cells = parts.flat();
  if (parts.length > 2 || !cells.length || cells.includes(-1)) return null;
  const [light, dark] = parts.length === 2 ? parts : [[], []];
  for (const kind of new Set(state.currentStage.pieces.map((piece) => piece.kind))) {
    const footprint = game.footprint(stageIndex, kind, cells);
    const face = footprint && game.face(stageIndex, footprint, light, dark);
    if (face) return face;
  }
  return null;
}

/** The cells that a text names; -1 for what is not a cell. */
function cellsOf(text: string, find: (name: string) => number): number[] {
  const names = text.match(/[a-z][0-9]+/g) ?? [];
  return names.join('') === text ? names.map(find) : [-1];
}
