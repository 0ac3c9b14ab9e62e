/** Games kept in the browser are saved as records that Python reads, and read back. */

import { beforeEach, expect, test, vi } from 'vitest';
import { importRecords, recordText, splitGames } from '../src/local/records';
import { allGames, newSavedGame, type SavedGame } from '../src/local/savedGames';
import { ApiError } from '../src/net/api';
import { Game } from '../src/rules/game';
import { State } from '../src/rules/state';
import { gameDefinitions, runPython } from './python';

const GAMES = ['taiji:size=4', 'battle-of-lits:size=6'];
const games = new Map(gameDefinitions(...GAMES).map((one, index) => [GAMES[index], new Game(one)]));
vi.mock('../src/lib/games', () => ({
  loadGame: (text: string) =>
    games.has(text) ? Promise.resolve(games.get(text)) : Promise.reject(new Error(`no game ${text}`)),
}));
beforeEach(() => {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined });
  vi.stubGlobal('addEventListener', () => undefined);
});

/** A game of first legal moves, to its end or for some plies. */
function played(name: string, plies: number, more: Partial<SavedGame> = {}): SavedGame {
  let state = State.start(games.get(name)!);
  const moves: number[] = [];
  while (!state.isOver && moves.length < plies) {
    const legal = state.legal();
    const move = legal[(moves.length * 7) % legal.length];
    moves.push(move.action);
    state = state.play(move);
  }
  const winner = state.outcome()?.winner ?? null;
  return newSavedGame(name, { moves, scores: state.scores(), over: state.isOver, winner, ...more });
}

const SAVED = [
  played('taiji:size=4', 99, { computer: { seat: 1, level: 3 } }),
  played('battle-of-lits:size=6', 99, { names: ['Ann "A"', 'Bob'] }),
  played('taiji:size=4', 3, { resigned: 0, over: true, winner: 1 }),
  played('battle-of-lits:size=6', 2),
];

test('Python reads the records and agrees with their results', async () => {
  const text = (await Promise.all(SAVED.map(recordText))).join('\n');
  const code =
    'import json, sys, io; from taiji.notation import read_records; ' +
    'records = list(read_records(io.StringIO(sys.argv[1]))); ' +
    'print(json.dumps([[len(r.moves), r.result.value, [str(c) for c in r.replay().problems]] for r in records]))';
  const results = SAVED.map(({ moves, over, winner }) => [
    moves.length,
    over ? ['1-0', '0-1', '1/2-1/2'][winner ?? 2] : '*',
    [],
  ]);
  expect(runPython('-c', code, text)).toEqual(results);
});

test('what was exported can be imported', async () => {
  const text = (await Promise.all(SAVED.map(recordText))).join('\n');
  expect(splitGames(text)).toHaveLength(SAVED.length);
  const facts = ({ game, moves, over, winner, resigned, computer, scores }: SavedGame) => ({
    game,
    moves,
    over,
    winner,
    resigned,
    computer,
    scores,
  });
  const added = await importRecords(text);
  expect(added.map(facts)).toEqual(SAVED.map(facts));
  expect(added[1].names).toEqual(['Ann "A"', 'Bob']);
  // Without IndexedDB they stay in memory.
  expect((await allGames()).map(({ id }) => id).sort()).toEqual(added.map(({ id }) => id).sort());
});

test.each([
  ['[Game "chess"]\n\n1. e4 *', '1. no game chess'],
  ['[Game "taiji:size=4"]\n\n1. a1/a2 a2/a3 *', '1. '],
  ['[Game "taiji:size=4"]\n\n1. a1/a2 *\n\n[Game "taiji:size=4"]\n\n1. z9/z8 *', '2. z9/z8 (1)'],
  ['no record', '1. '],
])('a file that cannot be read is refused with the game and the move: %j', async (text, start) => {
  const error = await importRecords(text).catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(ApiError);
  expect((error as ApiError).error.code).toBe('bad-record');
  expect((error as ApiError).error.message.startsWith(start)).toBe(true);
});
