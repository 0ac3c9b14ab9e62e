/** The settings of a new game, and their URL: `/new?mode=computer&game=taiji&level=5&clock=fischer-300-5`. */

import { load } from '../lib/localStore';
import type { ClockRule, ColourChoice } from '../net/types';

export const GAME_MODES = ['computer', 'local', 'link', 'open'] as const;
export type GameMode = (typeof GAME_MODES)[number];

export interface GameSetup {
  mode: GameMode;
  game: string;
  level: number;
  colour: ColourChoice;
  clock: ClockRule | null;
  match: boolean;
  takebacks: boolean;
  /** Requested; only accounts play rated games. */
  rated: boolean;
  /** Whether a game against the computer is kept on the server. */
  online: boolean;
}

/** The numeric fields of each clock type, in the order of the URL. */
const CLOCK_FIELDS: Record<ClockRule['clock_type'], string[]> = {
  sudden: ['main_s'],
  fischer: ['main_s', 'increment_s'],
  bronstein: ['main_s', 'delay_s'],
  byoyomi: ['main_s', 'periods', 'period_s'],
  correspondence: ['days'],
};

export function encodeClock(clock: ClockRule): string {
  const values = clock as unknown as Record<string, number>;
  return [clock.clock_type, ...CLOCK_FIELDS[clock.clock_type].map((name) => values[name])].join('-');
}

/** Read a clock such as `fischer-300-5`; null if it is not valid. */
export function decodeClock(text: string): ClockRule | null {
  const [kind, ...numbers] = text.split('-');
  const names = CLOCK_FIELDS[kind as ClockRule['clock_type']];
  if (!names || numbers.length !== names.length || !numbers.every((number) => /^\d{1,6}$/.test(number)))
    return null;
  return {
    clock_type: kind,
    ...Object.fromEntries(names.map((name, index) => [name, Number(numbers[index])])),
  } as ClockRule;
}

/** Read the last setup from local storage; earlier versions saved it as `wish`, with a `way`. */
export function savedSetup(): Partial<GameSetup> {
  const { way, ...legacy } = load<Partial<GameSetup> & { way?: GameMode }>('wish', {});
  return load<Partial<GameSetup>>('setup', way ? { ...legacy, mode: way } : legacy);
}

/** Read a setup from a URL and leave out what is not valid. */
export function setupFromQuery(query: URLSearchParams): Partial<GameSetup> {
  const setup: Partial<GameSetup> = {};
  // Links of earlier versions say `way`.
  const mode = (query.get('mode') ?? query.get('way')) as GameMode | null;
  if (mode && GAME_MODES.includes(mode)) setup.mode = mode;
  const game = query.get('game');
  if (game) setup.game = game;
  const level = Number(query.get('level'));
  if (Number.isInteger(level) && level >= 1 && level <= 10) setup.level = level;
  const colour = query.get('colour');
  if (colour === 'random' || colour === 'light' || colour === 'dark') setup.colour = colour;
  const clock = query.get('clock');
  if (clock !== null) setup.clock = decodeClock(clock);
  if (query.has('online')) setup.online = query.get('online') === '1';
  if (query.has('match')) setup.match = query.get('match') === '1';
  return setup;
}

/** The URL that opens the form with this setup. */
export function setupUrl(setup: GameSetup): string {
  const query = new URLSearchParams({ mode: setup.mode, game: setup.game });
  if (setup.mode === 'computer') {
    query.set('level', String(setup.level));
    if (setup.online) query.set('online', '1');
  } else query.set('match', setup.match ? '1' : '0');
  if (setup.mode !== 'local') {
    query.set('colour', setup.colour);
    if (setup.clock) query.set('clock', encodeClock(setup.clock));
  }
  return `/new?${query}`;
}
