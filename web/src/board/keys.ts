/** Keyboard control of the board. */

import { play } from '../lib/sounds';
import type { PieceCursor } from './pieceCursor.svelte';

export interface KeyContext {
  cursor: PieceCursor;
  active: boolean;
  place(options?: { sure?: boolean }): void;
}

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

export function keyDown(event: KeyboardEvent, context: KeyContext): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (handled(event, context)) event.preventDefault();
}

function handled(event: KeyboardEvent, { cursor, active, place }: KeyContext): boolean {
  const arrow = ARROWS[event.key];
  if (arrow) {
    // Without the cursor, left and right step through the moves.
    if (!cursor.byKeyboard && arrow[0]) return false;
    step(cursor, arrow);
    return true;
  }
  switch (event.key) {
    case 'Enter':
    case ' ':
      // A second press on a fixed ghost confirms the move.
      if (active && cursor.cell >= 0) place({ sure: cursor.fixed });
      return true;
    case 'Escape':
      if (!cursor.byKeyboard && cursor.cell < 0) return false;
      cursor.drop();
      return true;
  }
  return active && pieceKey(event, cursor);
}

/** Turn, flip or choose the held piece; return whether the key does so. */
export function pieceKey(event: KeyboardEvent, cursor: PieceCursor): boolean {
  switch (event.key) {
    case 'r':
    case 'R':
      cursor.turn(event.shiftKey ? -1 : 1);
      play('turn');
      return true;
    case 'f':
    case 'F':
      cursor.flip();
      play('turn');
      return true;
  }
  return !cursor.pair && choose(cursor, event.key);
}

function step(cursor: PieceCursor, [dx, dy]: [number, number]): void {
  const { board } = cursor.state;
  cursor.byKeyboard = true;
  cursor.fixed = false;
  cursor.firstCell = -1;
  if (cursor.cell < 0) {
    cursor.cell = board.cellAt(Math.floor(board.width / 2), Math.floor(board.height / 2));
    return;
  }
  let column = board.column(cursor.cell) + dx;
  let row = board.row(cursor.cell) + dy;
  // Skip holes.
  while (column >= 0 && row >= 0 && column < board.width && row < board.height) {
    const next = board.cellAt(column, row);
    if (next >= 0) {
      cursor.cell = next;
      return;
    }
    column += dx;
    row += dy;
  }
}

/** Choose a kind by its letter, or a face of the held kind by its digit. */
function choose(cursor: PieceCursor, key: string): boolean {
  const { pieces, kinds } = cursor.state.currentStage;
  const kind = kinds.find((name) => name[0].toLowerCase() === key.toLowerCase());
  if (kind) {
    cursor.chooseKind(kind);
    return true;
  }
  if (!/^[1-9]$/.test(key)) return false;
  const same = pieces
    .map((_, index) => index)
    .filter((index) => pieces[index].kind === pieces[cursor.piece].kind);
  const chosen = same[Number(key) - 1];
  if (chosen !== undefined && cursor.state.supply[pieces[chosen].stock] > 0) cursor.choose(chosen);
  return true;
}
