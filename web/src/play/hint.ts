/** A hint as text and as a ghost on the board. */

import { colourName } from '../board/describe';
import { ghostOf, type Ghost } from '../board/ghost';
import { number, percent, signed, t, tOr } from '../i18n/index.svelte';
import type { Analysis, HintReason } from '../net/types';
import { isSwap } from '../rules/game';
import type { State } from '../rules/state';

export interface ShownHint {
  ghost: Ghost | null;
  cells: readonly number[];
  /** The move as text. */
  move: string;
  /** One sentence per reason. */
  reasons: string[];
  /** Win probability and margin, as a sentence. */
  outlook: string;
}

export function shownHint(state: State, hint: Analysis): ShownHint {
  const best = hint.candidates[0];
  const move = state.game.move(best.move);
  const swap = !move || isSwap(move);
  return {
    ghost: swap ? null : ghostOf(state, move),
    cells: hint.reasons[0]?.cells ?? [],
    move: swap ? t('swap.move') : best.text,
    reasons: hint.reasons.slice(0, 2).map((reason) => describeReason(state, reason)),
    outlook: outlook(hint),
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
    values[name] = Array.isArray(value) ? value.map((one) => number(Number(one))).join(' · ') : Number(value);
  }
  values.n = values.squares ?? values.symbols ?? values.groups ?? 0;
  const key = code === 'covers' && values.own ? 'hint.covers-own' : `hint.${code}`;
  return tOr(key, code, values);
}
