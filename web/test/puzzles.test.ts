/** Puzzles in the page: the same day's puzzle as in Python, answers judged from the file alone, ratings and streaks. */

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { nextPuzzle } from '../src/puzzles/choose';
import { gameOfSet, readPuzzles, SETS, type Puzzle } from '../src/puzzles/data';
import { dailyPlace, dayNumber, pick, stride } from '../src/puzzles/daily';
import { positionOf } from '../src/puzzles/position';
import { newRating, streakAfter, type Progress } from '../src/puzzles/progress.svelte';
import { PuzzleRun } from '../src/puzzles/run.svelte';
import { Game } from '../src/rules/game';
import { readMove } from '../src/rules/notation';
import { gameDefinitions, runPython } from './python';

vi.mock('../src/lib/sounds', () => ({ play: () => undefined }));

const folder = fileURLToPath(new URL('../../src/taiji/analysis/puzzles/sets/', import.meta.url));
const sets = Object.fromEntries(
  readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => [name.replace('.jsonl', ''), readPuzzles(readFileSync(folder + name, 'utf8'))]),
);
const names = Object.keys(sets).map(gameOfSet);
const definitions = gameDefinitions(...names);
const fresh: Progress = { rating: 1200, tried: {}, run: 0, streak: 0, lastDay: null };

test('the sets are those of the package, each of its game', () => {
  expect(SETS).toEqual(Object.keys(sets).sort());
  for (const [name, puzzles] of Object.entries(sets))
    expect(new Set(puzzles.map(({ game }) => game))).toEqual(new Set([gameOfSet(name)]));
});

describe.each(Object.keys(sets))('%s', (name) => {
  const game = new Game(definitions[names.indexOf(gameOfSet(name))]);
  const [puzzle] = sets[name];

  test('the position has the choices that were proven, and the line is legal to the end', () => {
    let state = positionOf(game, puzzle.position);
    expect(state.legal().length).toBe(puzzle.choices);
    const solver = state.seatToMove;
    for (const text of [...puzzle.solution, ...puzzle.rest]) state = state.play(readMove(state, text)!);
    expect(state.outcome()?.winner).toBe(solver);
  });

  test('a wrong move is refused, the right one answered, the last one solves it', () => {
    vi.useFakeTimers();
    const ended: boolean[] = [];
    const run = new PuzzleRun(game, puzzle, (solved) => ended.push(solved));
    const start = run.history.latest;
    const wrong = start.legal().find((move) => move.action !== run.next!.action)!;
    run.try(wrong);
    expect([run.status, run.history.moves.length, ended]).toEqual(['wrong', 0, [false]]);
    for (let found = 0; !run.isOver; found++) {
      run.try(readMove(run.history.latest, puzzle.solution[2 * found])!);
      vi.runAllTimers();
    }
    expect(run.status).toBe('solved');
    expect(run.history.moves.length).toBe(puzzle.solution.length);
    run.showRest();
    expect(run.history.latest.isOver).toBe(true);
    // Only the first try counts.
    expect(ended).toEqual([false]);
    vi.useRealTimers();
  });
});

test('the puzzle of the day is that of the command line', () => {
  const days = [0, 1, 7, 319, 1000];
  const code = [
    'import json',
    'from datetime import timedelta',
    'from taiji.analysis.puzzles.daily import EPOCH, daily_puzzle',
    `print(json.dumps([daily_puzzle(EPOCH + timedelta(n)).id for n in ${JSON.stringify(days)}]))`,
  ].join('\n');
  const mine = days.map((day) => {
    const { set, turn } = dailyPlace(day, SETS.length);
    return pick(sets[SETS[set]], turn).id;
  });
  expect(mine).toEqual(runPython('-c', code));
  expect(dayNumber(Date.UTC(2026, 10, 16, 23, 59))).toBe(319);
  for (const size of [1, 2, 7, 50, 200, 260])
    expect(new Set([...Array(size).keys()].map((turn) => (turn * stride(size)) % size)).size).toBe(size);
});

test('the next puzzle is untried, of the theme, and near the own rating', () => {
  const make = (id: string, rating: number, theme = 'join') => ({ id, rating, theme }) as Puzzle;
  const puzzles = [make('a', 800), make('b', 1250), make('c', 1600), make('d', 1210, 'cut')];
  expect(nextPuzzle(puzzles, fresh)?.id).toBe('d');
  expect(nextPuzzle(puzzles, fresh, 'join')?.id).toBe('b');
  expect(nextPuzzle(puzzles, { ...fresh, tried: { b: true, d: true } })?.id).toBe('a');
  expect(nextPuzzle(puzzles, { ...fresh, tried: { a: true, b: false, c: true, d: true } })?.id).toBe('b');
  expect(nextPuzzle(puzzles, fresh, 'room')).toBeNull();
});

test('the own rating follows the results, and the streak counts days', () => {
  expect(newRating(1200, 1200, true, 0)).toBe(1230);
  expect(newRating(1200, 1200, false, 30)).toBe(1190);
  expect(newRating(1200, 2000, true, 30)).toBeGreaterThan(newRating(1200, 1200, true, 30));
  expect(streakAfter({ ...fresh, streak: 3, lastDay: 9 }, 10)).toEqual({ streak: 4, lastDay: 10 });
  expect(streakAfter({ ...fresh, streak: 3, lastDay: 9 }, 9)).toEqual({ streak: 3, lastDay: 9 });
  expect(streakAfter({ ...fresh, streak: 3, lastDay: 9 }, 12)).toEqual({ streak: 1, lastDay: 12 });
});
