import { expect, test, vi } from 'vitest';
import {
  decodeClock,
  encodeClock,
  savedSetup,
  setupFromQuery,
  setupUrl,
  type GameSetup,
} from '../src/home/gameSetup';

const setup: GameSetup = {
  mode: 'link',
  game: 'taiji:size=7,groups=2',
  level: 4,
  colour: 'dark',
  match: false,
  takebacks: true,
  rated: false,
  online: true,
  clock: { clock_type: 'byoyomi', main_s: 600, periods: 3, period_s: 30 },
};

const queryOf = (path: string) => new URL(path, 'http://localhost').searchParams;

test('a URL carries the setup', () => {
  const { level: _level, takebacks: _takebacks, rated: _rated, online: _online, ...carried } = setup;
  const path = setupUrl(setup);
  expect(setupFromQuery(queryOf(path))).toEqual(carried);
  const computer = setupUrl({ ...setup, mode: 'computer' });
  expect(setupFromQuery(queryOf(computer))).toMatchObject({ level: 4, online: true });
});

test('clocks round-trip', () => {
  for (const text of [
    'sudden-300',
    'fischer-300-5',
    'bronstein-60-2',
    'byoyomi-600-3-30',
    'correspondence-3',
  ]) {
    expect(encodeClock(decodeClock(text)!)).toBe(text);
  }
});

test('invalid values in a URL are ignored', () => {
  const query = new URLSearchParams('mode=fly&level=99&colour=red&clock=fischer-x-5');
  expect(setupFromQuery(query)).toEqual({ clock: null });
  expect(decodeClock('sudden-300-5')).toBeNull();
});

test('links and saved setups of earlier versions still work', () => {
  expect(setupFromQuery(new URLSearchParams('way=open'))).toEqual({ mode: 'open' });
  expect(setupFromQuery(new URLSearchParams('way=open&mode=local'))).toEqual({ mode: 'local' });
  const stored = new Map([['taiji.wish', '{"way":"link","level":4}']]);
  vi.stubGlobal('localStorage', { getItem: (key: string) => stored.get(key) ?? null });
  expect(savedSetup()).toEqual({ mode: 'link', level: 4 });
  stored.set('taiji.setup', '{"mode":"open"}');
  expect(savedSetup()).toEqual({ mode: 'open' });
  vi.unstubAllGlobals();
});
