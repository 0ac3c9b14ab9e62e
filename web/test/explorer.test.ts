/** The opening explorer of the page: the same keys and the same answers as in Python. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { Book, bookName, explore } from '../src/explorer/book';
import { keyOf, lanesOf } from '../src/explorer/keys';
import { Game } from '../src/rules/game';
import { moveText, readMove } from '../src/rules/notation';
import { State } from '../src/rules/state';
import { gameDefinitions, runPython } from './python';

const load = (game: string) => new Game(gameDefinitions(game)[0]);

interface Answer {
  games: number;
  book_games: number;
  moves: { move: string; games: number; win_rate: number; value: number | null; margin: number | null }[];
}

test('a position has the key that Python gives it', () => {
  const game = load('taiji:size=7');
  const symmetries = runPython<number[][]>(
    '-c',
    "import json; from taiji.rules import parse_game; print(json.dumps(parse_game('taiji:size=7').symmetries))",
  );
  const wanted = JSON.parse(
    readFileSync(fileURLToPath(new URL('explorer-keys.json', import.meta.url)), 'utf8'),
  ) as Record<string, string>;
  let state = State.start(game);
  for (const text of ['d4/d5', 'c4/c3']) state = state.play(readMove(state, text)!);
  expect(keyOf(lanesOf(state, symmetries))).toBe(Number(wanted['taiji:size=7']));
  let mirrored = State.start(game);
  for (const text of ['d4/d5', 'e4/e3']) mirrored = mirrored.play(readMove(mirrored, text)!);
  expect(keyOf(lanesOf(mirrored, symmetries))).toBe(keyOf(lanesOf(state, symmetries)));
});

test('a book gives the answers of the command line', () => {
  const game = load('taiji:size=5');
  const path = new URL('../../src/taiji/analysis/explorer/books/taiji-5.book', import.meta.url);
  const bytes = readFileSync(fileURLToPath(path));
  const book = new Book(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  let state = State.start(game);
  for (let ply = 0; ply < 3; ply++) {
    const code = [
      'import json',
      'from dataclasses import asdict',
      'from taiji.rules import parse_game',
      'from taiji.analysis.explorer import explore, shipped_book',
      "state = parse_game('taiji:size=5').start()",
      `for text in ${JSON.stringify(state.layer.placed.map((move) => moveText(game, move)))}: state = state.play(text)`,
      'book = shipped_book(state.game)',
      'known = asdict(explore(state, book))',
      "known['book_games'] = book.games",
      "for move in known['moves']: move['move'] = move['text']",
      'print(json.dumps(known))',
    ].join('\n');
    const wanted = runPython<Answer>('-c', code);
    const known = explore(state, book);
    expect([known.games, known.bookGames]).toEqual([wanted.games, wanted.book_games]);
    expect(known.moves.map(({ move, games, margin }) => [moveText(game, move), games, margin])).toEqual(
      wanted.moves.map(({ move, games, margin }) => [move, games, margin]),
    );
    for (const [index, { winRate, value }] of known.moves.entries()) {
      expect(winRate).toBeCloseTo(wanted.moves[index].win_rate, 3);
      expect(value ?? -1).toBeCloseTo(wanted.moves[index].value ?? -1, 3);
    }
    expect(known.moves.length).toBeGreaterThan(0);
    state = state.play(known.moves[0].move);
  }
});

test('books are named as in the package', () => {
  expect(['taiji', 'taiji:size=7', 'tailits+taiji', 'taiji:size=7,groups=2'].map(bookName)).toEqual([
    'taiji',
    'taiji-7',
    'tailits+taiji',
    'taiji-7-2',
  ]);
});
