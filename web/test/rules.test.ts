/** Compare the web rules with the Python rules: legal moves, reasons, scores and outcomes of random games. */

import { describe, expect, test } from 'vitest';
import en from '../src/i18n/en.json';
import { Game } from '../src/rules/game';
import { moveText, readMove } from '../src/rules/notation';
import { State } from '../src/rules/state';
import type { GameDefinition } from '../src/rules/definition';
import { runPython } from './python';

interface Position {
  stage: number;
  seat_to_move: number;
  legal: number[];
  supply: number[];
  scores: [number, number];
  scoring_groups: number[][][];
  tried: number[];
  reasons: ([string, string[], string] | null)[];
  outcome: { winner: number | null } | null;
}
interface Playthroughs {
  definition: GameDefinition;
  games: { plies: (Position & { move: number; text: string })[]; end: Position }[];
}

const GAMES = [
  'taiji:size=4',
  'taiji',
  'taiji:size=5,score=omega',
  'taiji:size=5,score=squares,groups=2',
  'taiji:size=5,score=product,groups=2',
  'taiji:size=5,diagonal=yes',
  'blue-panther',
  'tailits',
  'tailits:score=second,set=free',
  'battle-of-lits',
  'battle-of-lits:board=7,size=8,swap=no',
  'battle-of-lits:symbols=xo..|.xo.|..xo|o..x',
  'tailits+taiji',
  'taiji+battle-of-lits:size=7',
  'taiji:size=4,tie=last,komi=1',
  'taiji:size=5,komi=-1.5',
  'taiji:size=5,pie=3',
  'taiji:size=4,tie=draw,komi=choose',
  'taiji:size=7,opening=2',
  'tailits:pie=1',
  'battle-of-lits:board=7,size=8,komi=0.5',
  'tailits+taiji:tie=light,komi=0.5',
  'taiji+battle-of-lits:size=5,tie=draw,komi=-1',
];
const playthroughs = runPython<Playthroughs[]>('web/test/playthroughs.py', ...GAMES);

function check(game: Game, state: State, expected: Position): void {
  expect(state.stageIndex).toBe(expected.stage);
  if (!state.isOver) expect(state.seatToMove).toBe(expected.seat_to_move);
  expect(state.legal().map((move) => move.action)).toEqual(expected.legal);
  expect(state.supply).toEqual(expected.supply);
  expect(state.scores()).toEqual(expected.scores);
  const sorted = (groups: number[][]) => groups.map((group) => [...group].sort((a, b) => a - b));
  expect([sorted(state.scoringGroups(0)), sorted(state.scoringGroups(1))]).toEqual(expected.scoring_groups);
  expect(state.outcome() && { winner: state.outcome()!.winner }).toEqual(expected.outcome);
  const reasons = expected.tried.map((action) => {
    const reason = state.illegalReason(game.move(action)!);
    return reason && [reason.code, reason.cells, reason.kind];
  });
  expect(reasons).toEqual(expected.reasons);
}

function replay(game: Game, { plies, end }: Playthroughs['games'][0]): void {
  let state = State.start(game);
  for (const ply of plies) {
    check(game, state, ply);
    const move = game.move(ply.move)!;
    expect(moveText(game, move)).toBe(ply.text);
    expect(readMove(state, ply.text)).toBe(move);
    state = state.play(move);
  }
  check(game, state, end);
  expect(state.isOver).toBe(true);
}

test('every reason of a rule is translated', () => {
  const tests = playthroughs.flatMap(({ definition }) =>
    definition.program.stages.flatMap((stage) => stage.tests),
  );
  const codes = new Set(tests.map(({ why }) => why.code));
  expect(codes.size).toBeGreaterThan(5);
  expect([...codes].filter((code) => !(`reason.${code}` in en))).toEqual([]);
});

test('there are games to compare', () => {
  expect(playthroughs.length).toBeGreaterThan(10);
  expect(playthroughs.every(({ games }) => games.every(({ plies }) => plies.length > 2))).toBe(true);
});

describe.each(playthroughs.map((one) => [one.definition.game, one] as const))(
  '%s',
  (_name, { definition, games }) => {
    const game = new Game(definition);

    test('numbers its placements as the server does', () => {
      expect(game.placements.map((placement) => placement.action)).toEqual(
        game.placements.map((_, index) => index),
      );
      const choices = (game.swap ? 1 : 0) + game.komis.length;
      expect(game.placements.length + choices).toBe(definition.program.action_count);
    });

    test.each(games.map((one, index) => [index, one] as const))('game %i', (_index, playthrough) => {
      replay(game, playthrough);
    });
  },
);

describe('generated rules', () => {
  const BATCH = 150;
  const batches = process.env.TAIJI_SOAK ? 100 : 1;
  test.each(Array.from({ length: batches }, (_, index) => index * BATCH))('seeds from %i', (first) => {
    const batch = runPython<Playthroughs[]>(
      'web/test/playthroughs.py',
      '--generated',
      `${first}`,
      `${BATCH}`,
    );
    expect(batch).toHaveLength(BATCH);
    for (const { definition, games } of batch) {
      // A rule that the page refuses would end the test here: the share of refused games is 0.
      const game = new Game(definition);
      for (const playthrough of games) replay(game, playthrough);
    }
  });
});
