/** Compare the players of the page with those of the Python package: the same choices for the same seeds. */

import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { MatchContext } from '../src/engine';
import type { Placed } from '../src/engine/core';
import type { Info } from '../src/engine/players/info';
import { chooseCandidate } from '../src/engine/players/levels';
import { PythonRandom } from '../src/engine/random';
import { Session } from '../src/engine/session';
import { EngineError, type EngineNotice } from '../src/engine/types';
import { levelsOf, widthInText, type Level } from '../src/lib/levelTable';
import type { GameDefinition } from '../src/rules/definition';
import { Game } from '../src/rules/game';
import { readMove } from '../src/rules/notation';
import { State } from '../src/rules/state';
import { gameDefinitions, runPython } from './python';
import { startCore } from './wasm';

interface Case {
  player: string;
  seed: number;
  match: MatchContext | null;
  turns: {
    placed: number[][];
    swapped: boolean;
    move: number;
    info: Omit<Info, 'candidates' | 'seconds'> & { candidates: (number | null)[][] };
  }[];
}
interface Played {
  definition: GameDefinition;
  exact: Case[];
  neural: Case[];
  levels: Partial<Level>[];
  samples: { seed: number; temperature: number; visits: number[]; chosen: number[] }[];
}

const NETS = ['taiji', 'tailits', 'battle-of-lits'];
const START: Placed = { placed: [[]], swapped: false };
const native = runPython<Played[]>('-m', 'web.test.native_players');

const turn = { stopped: false, pause: async () => {}, wait: async () => {}, report: () => {} };

const bytesOf = (name: string) => readFileSync(new URL(`../src/engine/nets/${name}.net`, import.meta.url));
const netFile = async (name: string) => new Response(bytesOf(name));

async function startSession(definition: GameDefinition, loadNet = netFile, simd = true) {
  const notices: EngineNotice[] = [];
  const session = await Session.start(simd, {
    startCore: () => startCore(simd ? undefined : 'taiji.wasm'),
    netNames: NETS,
    loadNet,
    notice: (notice) => notices.push(notice),
  });
  session.addGame('game', definition);
  const think = async (
    player: string,
    seed: number | null,
    placed = START,
    match: MatchContext | null = null,
  ) =>
    (await session.answer(
      'game',
      placed,
      { op: 'think', player, seed, limit: {}, match },
      turn,
      () => {},
    )) as {
      move: number;
      info: Info;
    };
  return { session, notices, think };
}

function rows({ candidates }: Info) {
  return candidates.map(({ move, share, winProb, visits, margin }) => [move, share, winProb, visits, margin]);
}

describe.each(native.map((one) => [one.definition.game, one] as const))('%s', (_name, played) => {
  test('every player without a net chooses the same moves for the same reasons', async () => {
    const { session, think } = await startSession(played.definition);
    for (const { player, seed, match, turns } of played.exact) {
      session.newGame();
      for (const { placed, swapped, move, info } of turns) {
        const found = await think(player, seed, { placed, swapped }, match);
        const { seconds: _, ...shown } = { ...found.info, candidates: rows(found.info) };
        expect([player, placed, found.move, shown]).toEqual([player, placed, move, info]);
      }
    }
    expect(session.memoryBytes).toBeLessThanOrEqual(128 << 20);
  });

  test('the net evaluates as in the native core, but for the rounding of its weights', async () => {
    const { session, think, notices } = await startSession(played.definition);
    for (const { player, seed, match, turns } of played.neural) {
      session.newGame();
      for (const { placed, swapped, move, info } of turns) {
        const found = await think(player, seed, { placed, swapped }, match);
        expect(found.info.exact).toBe(info.exact);
        expect(Math.abs(found.info.winProb! - info.winProb!)).toBeLessThan(0.02);
        const visits = (action: number) => info.candidates.find(([other]) => other === action)?.[3] ?? 1;
        expect([player, 2 * visits(found.move) >= visits(move)]).toEqual([player, true]);
      }
    }
    expect(notices).toEqual([]);
    expect(session.memoryBytes).toBeLessThanOrEqual(128 << 20);
  });
});

describe.each(native.map((one) => [one.definition.game, one] as const))('levels of %s', (name, played) => {
  test('are those of the package, also by the text alone', () => {
    const levels = levelsOf(name, new Game(played.definition).boards[0].width);
    const set = (level: Level) => Object.fromEntries(Object.entries(level).filter(([, value]) => value));
    expect(levels.map(set)).toEqual(played.levels);
    expect(levelsOf(name, widthInText(name))).toEqual(levels);
  });

  test('choose the same candidates for the same seed', () => {
    for (const { seed, temperature, visits, chosen } of played.samples) {
      const random = new PythonRandom(seed);
      const candidates = visits.map((count, move) => ({ move, visits: count }));
      expect(chosen.map(() => chooseCandidate(candidates, temperature, random).move)).toEqual(chosen);
    }
  });
});

test('only the highest level wins at once by mirroring every move', async () => {
  const [definition] = gameDefinitions('taiji:size=8');
  const game = new Game(definition);
  const [first, answer] = ['a1/a2', 'h7/h8'].map((text) => readMove(State.start(game), text)!.action);
  const { think } = await startSession(definition);
  for (const [player, proves] of [
    ['mcts:playouts=20', false],
    ['level:10', true],
    ['level:9', false],
    ['level:3', false],
  ] as const) {
    const { move, info } = await think(player, 1, { placed: [[first]], swapped: false });
    expect([player, info.exact, move === answer]).toEqual([player, proves, proves]);
  }
});

describe('what works goes on', () => {
  const { definition } = native[0];

  test('a net that does not load is said, and mcts plays', async () => {
    const contents: ((name: string) => Buffer)[] = [
      () => Buffer.alloc(10),
      (name) => bytesOf(name).subarray(0, 300_000),
      (name) => gzipSync(gunzipSync(bytesOf(name)).subarray(0, 300_000), { level: 1 }),
    ];
    for (const content of contents) {
      const load = async (name: string) => new Response(new Uint8Array(content(name)));
      const { think, notices } = await startSession(definition, load);
      expect((await think('neural:evaluations=20', 1)).info.playouts).toBeGreaterThan(500);
      expect(notices[0]).toMatchObject({
        code: 'net',
        message: expect.stringContaining('taiji: not a complete net') as string,
      });
    }
  });

  test('without SIMD mcts plays and says so', async () => {
    const { think, notices } = await startSession(definition, netFile, false);
    expect((await think('neural:evaluations=20', 1)).info.playouts).toBeGreaterThan(500);
    expect(notices).toEqual([expect.objectContaining({ code: 'browser' })]);
  });

  test.each(['level:0', 'level:11', 'level:x', 'nobody', 'mcts:colour=red', 'random:5', 'mcts:playouts=-1'])(
    'the player %s is refused by name',
    async (player) => {
      const { think } = await startSession(definition);
      const refused = think(player, 1);
      await expect(refused).rejects.toBeInstanceOf(EngineError);
      await expect(refused).rejects.toMatchObject({ code: 'player' });
    },
  );
});
