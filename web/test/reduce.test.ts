import { describe, expect, test } from 'vitest';
import type { ClockInfo, MatchInfo, Result as GameResult, TableEvent, TableInfo } from '../src/net/types';
import { applyEvent } from '../src/play/reduce';

const player = { name: 'Ada', account_type: 'person', level: null, rating: null, guest: false } as const;
const table: TableInfo = {
  id: 't',
  protocol: 2,
  version: 1,
  status: 'waiting',
  game: 'taiji',
  edition: null,
  match_rule: 'nestorgames',
  opponent: 'link',
  clock_rule: null,
  takebacks: true,
  rated: false,
  hints: false,
  seats: { first: player, second: null },
  your_seat: 'first',
  joinable: false,
  moves: [],
  turn: null,
  clock: null,
  scores: { first: 0, second: 0 },
  result: null,
  offers: { takeback: null, rematch: null },
  match: { id: 'm', game_no: 1, tables: ['t', null], totals: { first: 0, second: 0 }, result: null },
  rematch: null,
  previous: null,
  presence: { first: true, second: false, watchers: 0 },
  thinking: false,
  invite: '/join#x',
  created: 0,
  updated: 0,
};
const clock: ClockInfo = {
  running: 'second',
  first: { remaining_ms: 1000, periods: null, away_until: null },
  second: { remaining_ms: 2000, periods: 3, away_until: null },
  grace_ms: 100,
};
const playing: TableInfo = {
  ...table,
  status: 'playing',
  seats: { first: player, second: { ...player, name: 'Bo' } },
  invite: null,
  turn: 'second',
  clock,
  scores: { first: 1, second: 1 },
  match: { ...table.match!, totals: { first: 5, second: 1 } },
  moves: [{ ply: 0, action: 7, text: 'a1/a2', seat: 'first', elapsed_ms: 3, at: 4 }],
  offers: { takeback: 'first', rematch: null },
};

type EventType = TableEvent['event_type'];
type DataOf<T extends EventType> = Extract<TableEvent, { event_type: T }>['data'];
const event = <T extends EventType>(
  event_type: T,
  data: DataOf<T>,
  newClock: ClockInfo | null = null,
): TableEvent => ({ type: 'event', version: 9, event_type, at: 5, data, clock: newClock }) as TableEvent;

/** Apply an event and hold the whole table to what it should have changed, and nothing else. */
function expectChange(before: TableInfo, applied: TableEvent, changes: Partial<TableInfo>): void {
  const copy = structuredClone(before);
  expect(applyEvent(before, applied)).toEqual({ ...before, version: 9, updated: 5, ...changes });
  expect(before).toEqual(copy);
}

describe('an event changes', () => {
  test('the seats; the invitation goes when both are taken', () => {
    const joined = event('join', { seat: 'second', player });
    expectChange(table, joined, { seats: { first: player, second: player }, invite: null });
    const empty = { ...table, seats: { first: null, second: null } };
    expectChange(empty, joined, { seats: { first: null, second: player } });
    expectChange(empty, event('join', { seat: 'first', player }), { seats: { first: player, second: null } });
  });

  test('the status at the start', () => {
    expectChange(table, event('start', { turn: 'second' }), { status: 'playing', turn: 'second' });
  });

  test('the clock, whatever the event', () => {
    const later = { ...clock, running: null, first: { remaining_ms: 900, periods: null, away_until: null } };
    const data = { ply: 1, action: 8, text: 'b1/b2', seat: 'second', elapsed_ms: 2 } as const;
    const move = event('move', { ...data, turn: 'first', scores: playing.scores }, later);
    expect(applyEvent(playing, move).clock).toEqual(later);
    expectChange(playing, event('resume', { downtime_ms: 60 }, later), { clock: later });
    expectChange(playing, event('device-added', { seat: 'first' }, later), { clock: later });
    expectChange(playing, event('device-added', { seat: 'first' }), {});
  });

  test('the moves, the turn and the scores; an offered takeback lapses', () => {
    const move = { ply: 1, action: 8, text: 'b1/b2', seat: 'second', elapsed_ms: 2 } as const;
    const moves = [...playing.moves, { ...move, at: 5 }];
    const offers = { takeback: null, rematch: null };
    const scores = { first: 2, second: 3 };
    const match = { ...playing.match!, totals: { first: 6, second: 3 } };
    const changes = { moves, scores, offers, match };
    expectChange(playing, event('move', { ...move, turn: 'first', scores }), { ...changes, turn: 'first' });
    expectChange(playing, event('move', { ...move, turn: null, scores }), { ...changes, turn: null });
    const single = { ...playing, match: null };
    expectChange(single, event('move', { ...move, turn: null, scores }), {
      ...changes,
      turn: null,
      match: null,
    });
    // An event that is older than the position replaces the moves from its ply on.
    const again = event('move', { ...move, ply: 0, turn: 'first', scores });
    expectChange(playing, again, { ...changes, moves: [{ ...move, ply: 0, at: 5 }], turn: 'first' });
  });

  test('the offer of a takeback', () => {
    const asked = event('takeback-offer', { seat: 'second' });
    expectChange(playing, asked, { offers: { takeback: 'second', rematch: null } });
    const offered = { ...playing, offers: { takeback: 'second', rematch: 'first' } } as const;
    expectChange(offered, event('takeback-refused', { seat: 'first' }), {
      offers: { takeback: null, rematch: 'first' },
    });
  });

  test('the moves after a takeback', () => {
    const scores = { first: 0, second: 0 };
    const offers = { takeback: null, rematch: null };
    const taken = event('takeback', { plies: 0, turn: 'first', scores });
    const match = { ...playing.match!, totals: { first: 4, second: 0 } };
    expectChange(playing, taken, { moves: [], turn: 'first', scores, offers, match });
    const kept = event('takeback', { plies: 1, turn: 'first', scores });
    expectChange(playing, kept, { moves: playing.moves, turn: 'first', scores, offers, match });
  });

  test('the level of the computer only', () => {
    const computer = { name: null, account_type: 'computer', level: 3, rating: null, guest: false } as const;
    for (const seats of [
      { first: player, second: computer },
      { first: computer, second: player },
    ]) {
      const level = (one: typeof player | typeof computer) =>
        one === computer ? { ...computer, level: 7 } : one;
      const changed = { first: level(seats.first), second: level(seats.second) };
      expectChange({ ...table, seats }, event('level', { level: 7 }), { seats: changed });
    }
    expectChange(table, event('level', { level: 7 }), {});
  });

  test('everything that is in progress at the end', () => {
    const result: GameResult = { winner: 'first', ended_by: 'resign', scores: { first: 3, second: 2 } };
    const offers = { takeback: null, rematch: null };
    const over = { status: 'over', turn: null, result, offers } as const;
    const stopped = { ...clock, running: null };
    expectChange(playing, event('end', { result, match: null }), { ...over, clock: stopped });
    const last = { ...clock, second: { remaining_ms: 0, periods: 0, away_until: null } };
    expectChange(playing, event('end', { result, match: null }, last), {
      ...over,
      clock: { ...last, running: null },
    });
    expectChange({ ...playing, clock: null }, event('end', { result, match: null }), over);
    expectChange(table, event('end', { result, match: null }), { ...over, invite: null });
    const match: MatchInfo = { ...playing.match!, totals: { first: 3, second: 2 } };
    expectChange(playing, event('end', { result, match }), { ...over, clock: stopped, match });
  });

  test('the next game of a match', () => {
    const next = event('next-game', { table: 'u' });
    expectChange(playing, next, { match: { ...playing.match!, tables: ['t', 'u'] } });
    expectChange({ ...playing, match: null }, next, {});
  });

  test('the rematch', () => {
    const offered = event('rematch-offer', { seat: 'second' });
    expectChange(playing, offered, { offers: { takeback: 'first', rematch: 'second' } });
    const both = { ...playing, offers: { takeback: null, rematch: 'second' } } as const;
    expectChange(both, event('rematch', { table: 'v' }), {
      rematch: 'v',
      offers: { takeback: null, rematch: null },
    });
  });
});
