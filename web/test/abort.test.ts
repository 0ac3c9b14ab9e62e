/** Who may abort: only a casual game, before both have moved, and not the second game of a match. */

import { expect, test } from 'vitest';
import type { MoveInfo, TableInfo } from '../src/net/types';
import { mayAbort } from '../src/play/abort';

const table = (changes: Partial<TableInfo>) =>
  ({ opponent: 'link', match: null, moves: [], ...changes }) as unknown as TableInfo;
const moved = (...seats: string[]) => seats.map((seat) => ({ seat }) as MoveInfo);
const match = (game_no: number) => ({ game_no }) as TableInfo['match'];

test.each([
  ['a new game', {}, true],
  ['one has moved', { moves: moved('first') }, true],
  ['both have moved', { moves: moved('first', 'second') }, false],
  ['game one of a match', { match: match(1) }, true],
  ['game two of a match', { match: match(2) }, false],
  ['a tournament', { opponent: 'tournament' }, false],
  ['the computer', { opponent: 'computer' }, false],
] as const)('%s', (_name, changes, allowed) => {
  expect(mayAbort(table(changes as Partial<TableInfo>))).toBe(allowed);
});
