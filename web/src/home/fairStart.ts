/** The fair start of a game: one of a few options that even out the players' chances, as in docs/rules/fairness.md. */

import { gameText, type ParsedGame } from '../lib/titles';
import type { Catalogue, GameInfo } from '../net/types';

export const FAIR_OPTIONS = ['tie', 'komi', 'pie', 'opening'];
export const FAIR_STARTS = ['none', 'komi', 'choose', 'pie-1', 'pie-3', 'opening'] as const;
export type FairStart = (typeof FAIR_STARTS)[number];

/** The komi with which the form starts. */
export const FIRST_KOMI = '0.5';

/** The fair start that a game text has. */
export function fairStartOf({ options }: ParsedGame): FairStart {
  if (options.opening && options.opening !== '0') return 'opening';
  if (options.pie === '1' || options.pie === '3') return `pie-${options.pie}`;
  if (options.komi === 'choose') return 'choose';
  return options.komi === undefined ? 'none' : 'komi';
}

/** The game without its fair start; its tie rule stays if `tie` is true. */
export function withoutFairStart({ base, options }: ParsedGame, tie = false): ParsedGame {
  const kept = Object.entries(options).filter(
    ([name]) => !FAIR_OPTIONS.includes(name) || (tie && name === 'tie'),
  );
  return { base, options: Object.fromEntries(kept) };
}

/** The numbers of the balanced openings of a game. */
export function openingsOf(game: ParsedGame, catalogue: Catalogue): readonly number[] {
  const text = gameText(withoutFairStart(game));
  return catalogue.openings.find((known) => known.game === text)?.numbers ?? [];
}

/** The fair starts that a game offers. A game with its own swap has no other one. */
export function offeredStarts(info: GameInfo, game: ParsedGame, catalogue: Catalogue): FairStart[] {
  const has = (name: string) => info.options.some((option) => option.name === name);
  const canChoose = has('pie') || game.options.swap === 'no';
  return FAIR_STARTS.filter((start) => {
    if (start === 'opening') return openingsOf(game, catalogue).length > 0;
    if (start === 'choose') return has('komi') && canChoose;
    return start === 'none' || has(start === 'komi' ? 'komi' : 'pie');
  });
}

/** The game with another fair start; an opening is drawn with `random`, from 0 to 1. */
export function withFairStart(
  game: ParsedGame,
  start: FairStart,
  catalogue: Catalogue,
  random = Math.random(),
): ParsedGame {
  const { base, options } = withoutFairStart(game, start !== 'komi' && start !== 'opening');
  const openings = openingsOf(game, catalogue);
  const chosen: Record<FairStart, Record<string, string>> = {
    none: {},
    komi: { komi: FIRST_KOMI },
    choose: { komi: 'choose' },
    'pie-1': { pie: '1' },
    'pie-3': { pie: '3' },
    opening: { opening: String(openings[Math.floor(random * openings.length)] ?? 0) },
  };
  return { base, options: { ...options, ...chosen[start] } };
}

/** Whether nobody can tie with this komi, so that a tie rule means nothing. */
export function isHalf(komi: string | undefined): boolean {
  return komi !== undefined && komi !== 'choose' && Number(komi) % 1 !== 0;
}
