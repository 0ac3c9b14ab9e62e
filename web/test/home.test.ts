import { expect, test } from 'vitest';
import { drawThumbnail } from '../src/board/thumbnail';
import { byUrgency } from '../src/home/urgency';
import { fits, PRESETS } from '../src/home/presets';
import type { Summary } from '../src/net/types';

const table = (id: string, values: Partial<Summary>) =>
  ({
    id,
    status: 'playing',
    your_seat: 'first',
    turn: 'second',
    deadline: null,
    updated: 0,
    ...values,
  }) as Summary;

test('what cannot wait comes first', () => {
  const sorted = byUrgency([
    table('own challenge', { status: 'waiting', turn: null }),
    table('theirs, old', { updated: 1 }),
    table('theirs', { updated: 2 }),
    table('challenge to me', { status: 'waiting', your_seat: null, turn: null }),
    table('mine, no clock', { turn: 'first' }),
    table('mine, soon', { turn: 'first', deadline: 10 }),
    table('mine, later', { turn: 'first', deadline: 20 }),
  ]);
  expect(sorted.map(({ id }) => id)).toEqual([
    'mine, soon',
    'mine, later',
    'mine, no clock',
    'challenge to me',
    'theirs',
    'theirs, old',
    'own challenge',
  ]);
});

test('a thumbnail is drawn from its text alone', () => {
  const drawing = drawThumbnail('2:piAA')!;
  expect([drawing.width, drawing.height]).toEqual([20, 20]);
  // The pair at the bottom is one piece without a gap, and new; two free squares are above.
  expect(drawing.paths.light).toBe('M0.6 10.6h9.4v8.8h-9.4z');
  expect(drawing.paths.dark).toBe('M10 10.6h9.4v8.8h-9.4z');
  expect(drawing.paths.new).toBe(drawing.paths.light! + drawing.paths.dark!);
  expect(drawing.paths.slot?.match(/M/g)).toHaveLength(2);
  expect(drawThumbnail('2:.EFA')!.paths).toMatchObject({ x: expect.any(String), o: expect.any(String) });
  for (const text of [null, '', '2:AAA', 'x', '0:A', '<svg>']) expect(drawThumbnail(text)).toBeNull();
});

test('a challenge fits a preset with the same game, clock and rating', () => {
  const [preset] = PRESETS;
  const challenge = table('c', { game: preset.game, clock_rule: preset.clock, rated: false, match: null });
  expect(fits(challenge, preset, false)).toBe(true);
  expect(fits(challenge, preset, true)).toBe(false);
  expect(fits({ ...challenge, match: { game_no: 1 } }, preset, false)).toBe(false);
  expect(fits({ ...challenge, clock_rule: null }, preset, false)).toBe(false);
  expect(fits(challenge, PRESETS[1], false)).toBe(false);
});
