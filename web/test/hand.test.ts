import { describe, expect, test } from 'vitest';
import { formatClock } from '../src/play/clock';
import { pairGhost, pairSteps, pieceGhost } from '../src/board/ghost';
import { LESSONS, prepared } from '../src/learn/lessons';
import { Game } from '../src/rules/game';
import { matchTotals, matchWinner } from '../src/rules/match';
import { State } from '../src/rules/state';
import { gameDefinitions } from './python';

const names = [
  ...new Set([
    'taiji:size=3,diagonal=yes',
    ...Object.values(LESSONS)
      .flat()
      .map(({ game }) => game),
  ]),
];
const definitions = gameDefinitions(...names);
const game = (name: string) => new Game(definitions[names.indexOf(name)]);

describe('a pair in hand', () => {
  test('has four directions, eight where corners may touch', () => {
    expect(pairSteps(game('taiji:size=5').stages[0])).toEqual([
      [1, 0],
      [0, -1],
      [-1, 0],
      [0, 1],
    ]);
    expect(pairSteps(game('taiji:size=3,diagonal=yes').stages[0])).toHaveLength(8);
    expect(pairSteps(game('tailits').stages[0])).toBeNull();
  });

  test('puts the mover’s half on the square that was pressed', () => {
    const start = State.start(game('taiji:size=5'));
    const ghost = pairGhost(start, 12, [1, 0], false)!;
    expect([ghost.light, ghost.dark, ghost.reason]).toEqual([[12], [13], null]);
    expect(pairGhost(start, 12, [1, 0], true)!.dark).toEqual([12]);
    const next = start.play(ghost.placement!);
    expect(pairGhost(next, 0, [1, 0], false)!.dark).toEqual([0]);
    expect(pairGhost(next, 11, [1, 0], false)!.reason?.code).toBe('occupied');
    expect(pairGhost(next, 4, [1, 0], false)).toBeNull();
  });
});

describe('a piece in hand', () => {
  test('is pushed back onto the board, whatever way it is held', () => {
    const start = State.start(game('tailits'));
    for (const piece of start.currentStage.pieces) {
      for (let turns = 0; turns < 4; turns++) {
        for (const cell of [0, 10, 110, 120, 60]) {
          expect(pieceGhost(start, piece, turns, turns % 2 === 0, cell)?.placement).toBeTruthy();
        }
      }
    }
  });
});

describe('lessons', () => {
  test.each(
    Object.values(LESSONS)
      .flat()
      .map((lesson) => [lesson.id, lesson] as const),
  )('%s can be done', (_id, lesson) => {
    const board = game(lesson.game);
    const state = prepared(board, lesson).reduce((at, move) => at.play(move), State.start(board));
    expect(state.isOver).toBe(false);
    const { goal } = lesson;
    if (goal.want === 'swap') expect(state.canSwap).toBe(true);
    if (goal.want === 'end') expect(state.legal().some((move) => state.play(move).isOver)).toBe(true);
    if (goal.want === 'refusal') {
      const codes = board.layouts[state.stageIndex].footprints.map(
        (footprint) => state.footprintIllegalReason(footprint)?.code,
      );
      expect(codes).toContain(goal.code);
    }
    if (lesson.upTo) expect(state.stageIndex).toBe(lesson.upTo.stage);
  });
});

test('a match adds up by player, and Blue Panther breaks its ties', () => {
  expect(
    matchTotals([
      [5, 3],
      [2, 4],
    ]),
  ).toEqual([9, 5]);
  expect(matchWinner('nestorgames', [7, 7])).toBeNull();
  expect(matchWinner('blue-panther', [7, 7])).toBe(0);
  expect(matchWinner('nestorgames', [6, 7])).toBe(1);
});

test('clocks are read as people read them', () => {
  expect([4321, 65_000, 3_725_000, 200_000_000].map(formatClock)).toEqual([
    '4.3',
    '1:05',
    '1:02:05',
    '2d 07h',
  ]);
});
