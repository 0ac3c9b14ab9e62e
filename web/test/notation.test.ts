/** Positions and records: the same texts as in Python, and the same positions behind them. */

import { describe, expect, test } from 'vitest';
import { formatPosition, parsePosition } from '../src/notation/position';
import { formatRecord, parseRecord } from '../src/notation/record';
import { Game } from '../src/rules/game';
import { placements, restore } from '../src/rules/restore';
import { gameDefinitions, runPython } from './python';

const GAMES = ['taiji:size=4', 'tailits', 'battle-of-lits:size=8', 'taiji+battle-of-lits:size=4'];
const PLAY = `
import json, random, sys
from taiji.notation import format_position
from taiji.rules import parse_game
found = []
for name in sys.argv[1:]:
    dice, state, texts = random.Random(7), parse_game(name).start(), []
    while not state.is_over:
        state = state.play(dice.choice(state.legal()))
        texts.append(format_position(state))
    found.append(texts)
print(json.dumps(found))
`;
const READ = `
import json, sys
from taiji.notation import format_record, parse_record
print(json.dumps(format_record(parse_record(sys.argv[1]), width=10**6)))
`;

describe('positions', () => {
  const texts = runPython<string[][]>('-c', PLAY, ...GAMES);
  const games = gameDefinitions(...GAMES).map((definition) => new Game(definition));

  test.each(GAMES.map((name, index) => [name, index] as const))('%s', async (_, index) => {
    const load = () => Promise.resolve(games[index]);
    for (const text of texts[index]) {
      const state = await parsePosition(text, load);
      expect(formatPosition(state)).toBe(text);
      const again = restore(games[index], placements(state), state.swapped);
      expect(again.state && formatPosition(again.state)).toBe(text);
    }
  });

  test('an impossible position says why', async () => {
    const load = () => Promise.resolve(games[0]);
    const failure = (text: string) =>
      parsePosition(text, load).catch((error: { key: string }) => error.key) as Promise<string>;
    expect(await failure('tji1 taiji:size=4 b2/b3,b3/c3 light -')).toBe('notation.unreachable');
    expect(await failure('tji1 taiji:size=4 b2/b3 light -')).toBe('notation.side');
    expect(await failure('tji1 taiji:size=4 b2/d3 light -')).toBe('notation.move');
    expect(await failure('tji1 taiji:size=4')).toBe('notation.position');
  });
});

describe('records', () => {
  const text =
    '[Result "*"]\n[Game "taiji:size=3"]\n\n{A \\{short\\} one.} 1. a1/a2! {Good.} (1. b1/b2?! 1... c1/c2 (1... a3/b3) 2. a1/a2) 1... b1/b2 $14 2. c1/c2 *\n';

  test('are read and written as in Python', () => {
    expect(formatRecord(parseRecord(text))).toBe(runPython<string>('-c', READ, text));
    expect(formatRecord(parseRecord(text))).toBe(
      runPython<string>('-c', READ, formatRecord(parseRecord(text))),
    );
  });

  test('clocks and evaluations are left out, and the next game is not read', () => {
    const { moves, tags } = parseRecord(
      '[Game "taiji:size=3"]\n\na1/a2 {[%clk 0:01:02] [%eval 31% -1.5] hm} ; to the end\nb1/b2\n\n[Game "taiji"]\n\ne4/e5',
    );
    expect(moves.map(({ move, comment }) => [move, comment])).toEqual([
      ['a1/a2', 'hm to the end'],
      ['b1/b2', ''],
    ]);
    expect(tags).toEqual({ Game: 'taiji:size=3' });
  });

  test.each([
    ['a1/a2', 'notation.no-game'],
    ['[Game "taiji"]\n\n(a1/a2)', 'notation.record'],
    ['[Game "taiji"]\n\na1/a2 (b1/b2', 'notation.record'],
    ['[Game "taiji"]\n\na1/a2 )', 'notation.record'],
    ['[Game "taiji"]\n\na1/a2 {never closed', 'notation.record'],
  ])('%j is refused', (bad, key) => {
    expect(() => parseRecord(bad)).toThrow(key);
  });
});
