/** When a game may be aborted; the server checks the same in `domain/commands.py`. */

import type { TableInfo } from '../net/types';

/** Whether a player may abort: before both have moved, but not the second game of a match, nor in a tournament. */
export function mayAbort(table: TableInfo): boolean {
  if (table.opponent === 'computer' || table.opponent === 'tournament') return false;
  return table.match?.game_no !== 2 && new Set(table.moves.map((move) => move.seat)).size < 2;
}
