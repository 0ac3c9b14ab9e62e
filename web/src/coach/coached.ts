/** The games that this browser's player knows, so that the coach is silent in them. */

import { load, save } from '../lib/localStore';
import { parseGame } from '../lib/titles';

const KEY = 'coached';

/** The computer's strongest level at which the coach speaks. */
export const MAX_COACHED_LEVEL = 3;

export function knowsGame(game: string): boolean {
  return load<string[]>(KEY, []).includes(parseGame(game).base);
}

export function rememberGame(game: string): void {
  const { base } = parseGame(game);
  const known = load<string[]>(KEY, []);
  if (!known.includes(base)) save(KEY, [...known, base]);
}

export function forgetGame(game: string): void {
  const { base } = parseGame(game);
  save(
    KEY,
    load<string[]>(KEY, []).filter((known) => known !== base),
  );
}
