import { describe, expect, test } from 'vitest';
import type { Result as GameResult, SeatName, TableEvent, TableInfo } from '../src/net/types';
import { applyEvent } from '../src/play/reduce';

const player = { name: 'Ada', account_type: 'person', level: null, rating: null } as const;
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
type EventType = TableEvent['event_type'];
type DataOf<T extends EventType> = Extract<TableEvent, { event_type: T }>['data'];
const event = <T extends EventType>(version: number, event_type: T, data: DataOf<T>): TableEvent =>
  ({ type: 'event', version, event_type, at: 5, data, clock: null }) as TableEvent;
const move = (ply: number, seat: SeatName) =>
  event(ply + 4, 'move', {
    ply,
    action: ply,
    text: 'x',
    seat,
    elapsed_ms: 1,
    turn: seat === 'first' ? 'second' : 'first',
    scores: { first: 1, second: 1 },
  });

describe('a table after its events', () => {
  const seated = applyEvent(table, event(2, 'join', { seat: 'second', player }));
  const started = applyEvent(seated, event(3, 'start', { turn: 'first' }));
  const played = applyEvent(applyEvent(started, move(0, 'first')), move(1, 'second'));

  test('begins when both sit', () => {
    expect(seated.invite).toBeNull();
    expect([started.status, started.turn, started.version]).toEqual(['playing', 'first', 3]);
  });

  test('keeps the moves in order', () => {
    expect(played.moves.map(({ ply }) => ply)).toEqual([0, 1]);
    expect(played.turn).toBe('first');
  });

  test('forgets moves that are taken back, and the offer', () => {
    const offered = applyEvent(played, event(6, 'takeback-offer', { seat: 'first' }));
    expect(offered.offers.takeback).toBe('first');
    const back = applyEvent(
      offered,
      event(7, 'takeback', { plies: 0, turn: 'first', scores: { first: 0, second: 0 } }),
    );
    expect([back.moves.length, back.offers.takeback]).toEqual([0, null]);
    expect(applyEvent(offered, event(7, 'takeback-refused', { seat: 'second' })).offers.takeback).toBeNull();
  });

  test('ends, and names the next game', () => {
    const result: GameResult = { winner: 'first', ended_by: 'score', scores: { first: 3, second: 2 } };
    const ended = applyEvent(played, event(8, 'end', { result, match: null }));
    expect([ended.status, ended.turn, ended.result?.winner]).toEqual(['over', null, 'first']);
    expect(applyEvent(ended, event(9, 'next-game', { table: 'u' })).match?.tables).toEqual(['t', 'u']);
    expect(applyEvent(ended, event(9, 'rematch', { table: 'v' })).rematch).toBe('v');
  });

  test('changes only the computer’s level', () => {
    const computer = { name: null, account_type: 'computer', level: 3, rating: null } as const;
    const changed = applyEvent(
      { ...table, seats: { first: player, second: computer } },
      event(2, 'level', { level: 7 }),
    );
    expect([changed.seats.first?.level, changed.seats.second?.level]).toEqual([null, 7]);
  });
});
