/** The web rules against the Python ones: the same choices, reasons, scores and ends in random games. */

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { Game } from '../src/rules/game';
import { moveText, readMove } from '../src/rules/notation';
import { State } from '../src/rules/state';
import type { GameValue } from '../src/rules/value';

interface Position {
  stage: number;
  mover: number;
  legal: number[];
  supply: number[];
  scores: [number, number];
  counted: number[][][];
  tried: number[];
  reasons: ([string, string[], string] | null)[];
  outcome: { winner: number | null } | null;
}
interface Told {
  value: GameValue;
  games: { plies: (Position & { move: number; text: string })[]; end: Position }[];
}

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const venv = path('../../.venv/bin/python');
const python = existsSync(venv) ? venv : 'python3';
const told = JSON.parse(
  execFileSync(python, [path('playthroughs.py')], { encoding: 'utf8', maxBuffer: 1 << 28 }),
) as Told[];

function check(game: Game, state: State, expected: Position): void {
  expect(state.stage).toBe(expected.stage);
  if (!state.over) expect(state.mover).toBe(expected.mover);
  expect(state.legal().map((move) => move.number)).toEqual(expected.legal);
  expect(state.supply).toEqual(expected.supply);
  expect(state.scores()).toEqual(expected.scores);
  const sorted = (groups: number[][]) => groups.map((group) => [...group].sort((a, b) => a - b));
  expect([sorted(state.counted(0)), sorted(state.counted(1))]).toEqual(expected.counted);
  expect(state.outcome() && { winner: state.outcome()!.winner }).toEqual(expected.outcome);
  const reasons = expected.tried.map((number) => {
    const reason = state.whyNot(game.move(number)!);
    return reason && [reason.code, reason.cells, reason.kind];
  });
  expect(reasons).toEqual(expected.reasons);
}

test('there are games to compare', () => {
  expect(told.length).toBeGreaterThan(10);
  expect(told.every(({ games }) => games.every(({ plies }) => plies.length > 2))).toBe(true);
});

describe.each(told.map((one) => [one.value.game, one] as const))('%s', (_name, { value, games }) => {
  const game = new Game(value);

  test('numbers its placements as the server does', () => {
    expect(game.placements.map((placement) => placement.number)).toEqual(game.placements.map((_, index) => index));
    expect(game.placements.length + (game.swap ? 1 : 0)).toBe(value.actions);
  });

  test.each(games.map((one, index) => [index, one] as const))('game %i', (_index, { plies, end }) => {
    let state = State.start(game);
    for (const ply of plies) {
      check(game, state, ply);
      const move = game.move(ply.move)!;
      expect(moveText(game, move)).toBe(ply.text);
      expect(readMove(state, ply.text)).toBe(move);
      state = state.play(move);
    }
    check(game, state, end);
    expect(state.over).toBe(true);
  });
});
