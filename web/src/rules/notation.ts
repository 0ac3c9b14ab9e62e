/** Move notation: `e4/e5`, `e4e5/e6f5`, `e4e5e6f5`, `swap`, `komi=1.5`. */

import { isKomi, isSwap, type Game, type Move } from './game';
import type { Placement } from './layout';
import type { State } from './state';

/** The canonical text of a move. */
export function moveText(game: Game, move: Move): string {
  if (isSwap(move)) return 'swap';
  if (isKomi(move)) return `komi=${move.komi / 2}`;
  const board = game.boards[move.stage];
  const names = (cells: number[]) => board.names(cells).join('');
  if (!move.light.length && !move.dark.length) return names(move.footprint.cells);
  return `${names(move.light)}/${names(move.dark)}`;
}

/** Parse a move in any case and cell order; null if it is not a move of this stage. */
export function readMove(state: State, text: string): Move | null {
  const word = text.trim().toLowerCase();
  if (word === 'swap') return state.game.swap;
  if (word.startsWith('komi')) return readKomi(state.game, word);
  return readStageMove(state.game, state.stageIndex, text);
}

/** Parse a komi that is named, such as `komi=1.5`; null if it may not be named. */
export function readKomi(game: Game, text: string): Move | null {
  const points = /^komi[ =:]*([+-]?\d+(?:\.[05])?)$/.exec(text)?.[1];
  return game.komis.find(({ komi }) => komi / 2 === Number(points ?? NaN)) ?? null;
}

/** Parse a placement of a stage in any case and cell order; null if it is none. */
export function readStageMove(game: Game, stage: number, text: string): Placement | null {
  const board = game.boards[stage];
  const parts = text
    .trim()
    .toLowerCase()
    .split('/')
    .map((part) => cellsOf(part, (name) => board.cell(name)));
  const cells = parts.flat();
  if (parts.length > 2 || !cells.length || cells.includes(-1)) return null;
  const [light, dark] = parts.length === 2 ? parts : [[], []];
  for (const kind of new Set(game.stages[stage].pieces.map((piece) => piece.kind))) {
    const footprint = game.footprint(stage, kind, cells);
    const face = footprint && game.face(stage, footprint, light, dark);
    if (face) return face;
  }
  return null;
}

/** The cells that a text names; -1 for what is not a cell. */
function cellsOf(text: string, find: (name: string) => number): number[] {
  const names = text.match(/[a-z][0-9]+/g) ?? [];
  return names.join('') === text ? names.map(find) : [-1];
}
