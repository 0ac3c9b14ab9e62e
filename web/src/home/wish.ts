/** What somebody wants to play, and how a link carries it: `/?way=computer&game=taiji&level=5&clock=fischer-300-5`. */

import type { ClockRule, ColourChoice } from '../net/types';

export const WAYS = ['computer', 'local', 'link', 'open'] as const;
export type Way = (typeof WAYS)[number];

export interface Wish {
  way: Way;
  game: string;
  level: number;
  colour: ColourChoice;
  clock: ClockRule | null;
  match: boolean;
  takebacks: boolean;
  /** Wished for; it counts only for somebody with an account. */
  rated: boolean;
}

/** The numbers of each kind of clock, in the order in which a link names them. */
const CLOCK_NUMBERS: Record<ClockRule['kind'], string[]> = {
  sudden: ['main_s'],
  fischer: ['main_s', 'increment_s'],
  bronstein: ['main_s', 'delay_s'],
  byoyomi: ['main_s', 'periods', 'period_s'],
  correspondence: ['days'],
};

export function clockWord(clock: ClockRule): string {
  const values = clock as unknown as Record<string, number>;
  return [clock.kind, ...CLOCK_NUMBERS[clock.kind].map((name) => values[name])].join('-');
}

/** The clock that a word such as `fischer-300-5` names, or null. */
export function clockOf(word: string): ClockRule | null {
  const [kind, ...numbers] = word.split('-');
  const names = CLOCK_NUMBERS[kind as ClockRule['kind']];
  if (!names || numbers.length !== names.length || !numbers.every((number) => /^\d{1,6}$/.test(number))) return null;
  return { kind, ...Object.fromEntries(names.map((name, at) => [name, Number(numbers[at])])) } as ClockRule;
}

/** The parts of a wish that an address carries; whatever makes no sense is left out. */
export function wishIn(query: URLSearchParams): Partial<Wish> {
  const wish: Partial<Wish> = {};
  const way = query.get('way') as Way | null;
  if (way && WAYS.includes(way)) wish.way = way;
  const game = query.get('game');
  if (game) wish.game = game;
  const level = Number(query.get('level'));
  if (Number.isInteger(level) && level >= 1 && level <= 10) wish.level = level;
  const colour = query.get('colour');
  if (colour === 'random' || colour === 'light' || colour === 'dark') wish.colour = colour;
  const clock = query.get('clock');
  if (clock !== null) wish.clock = clockOf(clock);
  if (query.has('match')) wish.match = query.get('match') === '1';
  return wish;
}

/** The address that brings somebody else to the same wish. */
export function wishPath(wish: Wish): string {
  const query = new URLSearchParams({ way: wish.way, game: wish.game });
  if (wish.way === 'computer') query.set('level', String(wish.level));
  else query.set('match', wish.match ? '1' : '0');
  if (wish.way !== 'local') {
    query.set('colour', wish.colour);
    if (wish.clock) query.set('clock', clockWord(wish.clock));
  }
  return `/?${query}`;
}
