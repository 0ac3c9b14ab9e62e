/** A hint as text and as a ghost on the board. */

import { colourName } from '../board/describe';
import { ghostOf, type Ghost } from '../board/ghost';
import { list, number, percent, signed, t, tOr } from '../i18n/index.svelte';
import type { Analysis, HintReason } from '../net/types';
import { isSwap } from '../rules/game';
import type { State } from '../rules/state';

export interface ShownHint {
  ghost: Ghost | null;
  cells: readonly number[];
  /** The move, as a sentence. */
  advice: string;
  /** One sentence per reason. */
  reasons: string[];
  /** Win probability and margin, as a sentence; empty for a beginner. */
  outlook: string;
}

/** The computer's weakest level at which a hint gives the numbers of the search. */
export const EXPERT_LEVEL = 7;

/** Reasons that say less than another one that is given too. */
const IMPLIED: Record<string, string> = { grows: 'joins' };

/** Describe a hint; `expert` adds the numbers of the search, which tell a beginner nothing. */
export function shownHint(state: State, hint: Analysis, expert = false): ShownHint {
  const best = hint.candidates[0];
  const move = state.game.move(best.move);
  const swap = !move || isSwap(move);
  const codes = new Set(hint.reasons.map(({ code }) => code));
  const told = hint.reasons.filter(({ code }) => !codes.has(IMPLIED[code]));
  return {
    ghost: swap ? null : ghostOf(state, move),
    cells: hint.reasons[0]?.cells ?? [],
    advice: swap ? t('hint.play-swap') : t('hint.play', { move: best.text }),
    reasons: told.slice(0, 2).map((reason) => describeReason(state, reason)),
    outlook: expert ? outlook(hint) : '',
  };
}

function outlook({ win_prob, margin }: Analysis): string {
  if (win_prob === null) return '';
  const win = percent(win_prob);
  return margin === null ? t('hint.win', { win }) : t('hint.outlook', { win, margin: signed(margin) });
}

function describeReason(state: State, { code, params }: HintReason): string {
  const values: Record<string, string | number> = {
    who: colourName(state.game, state.colourToMove),
  };
  for (const [name, value] of Object.entries(params)) {
    values[name] = Array.isArray(value) ? list(value.map((one) => number(Number(one)))) : Number(value);
  }
  values.n = values.squares ?? values.symbols ?? values.groups ?? 0;
  const key = code === 'covers' && values.own ? 'hint.covers-own' : `hint.${code}`;
  return tOr(key, code, values);
}
