/** Compare the WebAssembly core with the native one: rules, searches and solutions are equal, not just similar. */

import { describe, expect, test } from 'vitest';
import { describeGame } from '../src/engine/describe';
import { Game } from '../src/rules/game';
import { findAll, START, type Native } from './compare';
import { runPython } from './python';
import { startCore } from './wasm';

const native = runPython<Native[]>('-m', 'web.test.native');

test('there are 100 searches to compare', () => {
  expect(native.flatMap(({ searches }) => searches).length).toBeGreaterThanOrEqual(100);
  expect(native.every(({ random_games }) => random_games >= 1000)).toBe(true);
});

describe.each(['taiji-simd.wasm', 'taiji.wasm'])('%s', (module) => {
  test.each(native.map((one) => [one.definition.game, one] as const))('%s', async (_name, expected) => {
    expect(findAll(await startCore(module), expected)).toEqual(expected);
  });
});

describe('bad input', () => {
  const rules = new Game(native[0].definition);

  test('a description that is cut short, too long or out of range is refused by name', async () => {
    const core = await startCore();
    const bytes = describeGame(rules);
    const refused = (description: Uint8Array) => {
      try {
        core.gameFrom(description);
      } catch (error) {
        return (error as { code: string }).code;
      }
      return 'accepted';
    };
    for (const length of [0, 4, 40, bytes.length - 4]) expect(refused(bytes.slice(0, length))).toBe('rules');
    expect(refused(Uint8Array.of(...bytes, 0, 0, 0, 0))).toBe('rules');
    // Each number in turn becomes a large one: refused or accepted, never a crash.
    for (let at = 0; at < bytes.length; at += 52) {
      const spoiled = bytes.slice();
      spoiled.set([255, 255, 255, 127], at);
      expect(['rules', 'accepted', 'memory']).toContain(refused(spoiled));
    }
    expect(refused(bytes)).toBe('accepted');
  });

  test('positions that cannot be are refused by name', async () => {
    const core = await startCore();
    const game = core.game(rules);
    const code = (placed: number[][], swapped = false) => {
      try {
        core.position(game, { placed, swapped });
      } catch (error) {
        return (error as { code: string }).code;
      }
      return 'accepted';
    };
    expect(code([[0]])).toBe('accepted');
    expect(code([[0, 0]])).toBe('position');
    expect(code([[-1]])).toBe('position');
    expect(code([[1e6]])).toBe('position');
    expect(code([[0], [0]])).toBe('position');
  });

  test('too little memory is said by name, and the core goes on', async () => {
    const core = await startCore();
    const game = core.game(rules);
    const big = native[0].searches[0].options.with(-2, 3e9);
    expect(() => core.search(game, big)).toThrow('not enough memory');
    expect(core.legal(core.position(game, START)).length).toBeGreaterThan(0);
  });
});
