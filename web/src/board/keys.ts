/** Full play from the keyboard. */

import { play } from '../lib/sounds';
import type { Aim } from './aim.svelte';

export interface KeyWorld {
  aim: Aim;
  active: boolean;
  place(options?: { sure?: boolean }): void;
}

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

export function keyDown(event: KeyboardEvent, world: KeyWorld): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (handled(event, world)) event.preventDefault();
}

function handled(event: KeyboardEvent, { aim, active, place }: KeyWorld): boolean {
  const arrow = ARROWS[event.key];
  if (arrow) {
    step(aim, arrow);
    return true;
  }
  switch (event.key) {
    case 'Enter':
    case ' ':
      // The second press on a piece that lies ready is the answer to the question.
      if (active && aim.cell >= 0) place({ sure: aim.fixed });
      return true;
    case 'Escape':
      aim.drop();
      return true;
    case 'r':
    case 'R':
      aim.turn(event.shiftKey ? -1 : 1);
      play('turn');
      return true;
    case 'f':
    case 'F':
      aim.flip();
      play('turn');
      return true;
  }
  return !aim.pair && active && choose(aim, event.key);
}

function step(aim: Aim, [dx, dy]: [number, number]): void {
  const { board } = aim.state;
  aim.byKeyboard = true;
  aim.fixed = false;
  aim.pinned = -1;
  if (aim.cell < 0) {
    aim.cell = board.at(Math.floor(board.width / 2), Math.floor(board.height / 2));
    return;
  }
  let column = board.column(aim.cell) + dx;
  let row = board.row(aim.cell) + dy;
  // Holes are passed over.
  while (column >= 0 && row >= 0 && column < board.width && row < board.height) {
    const next = board.at(column, row);
    if (next >= 0) {
      aim.cell = next;
      return;
    }
    column += dx;
    row += dy;
  }
}

/** Digits choose a piece of the kind in hand, letters the kind. */
function choose(aim: Aim, key: string): boolean {
  const { pieces, kinds } = aim.state.rules;
  const kind = kinds.find((name) => name[0].toLowerCase() === key.toLowerCase());
  if (kind) {
    aim.chooseKind(kind);
    return true;
  }
  if (!/^[1-9]$/.test(key)) return false;
  const same = pieces.map((_, index) => index).filter((index) => pieces[index].kind === pieces[aim.piece].kind);
  const wanted = same[Number(key) - 1];
  if (wanted !== undefined && aim.state.supply[pieces[wanted].slot] > 0) aim.choose(wanted);
  return true;
}
