/** A hint as text and as a ghost on the board. */

import { colourName } from '../board/describe';
import { ghostOf, type Ghost } from '../board/ghost';
import { list, number, percent, signed, t, tOr } from '../i18n/index.svelte';
import type { Analysis, HintReason } from '../net/types';
import type { Colour } from '../rules/definition';
import { isKomi, isPlacement, type Move } from '../rules/game';
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
  const codes = new Set(hint.reasons.map(({ code }) => code));
  const told = hint.reasons.filter(({ code }) => !codes.has(IMPLIED[code]));
  return {
    ghost: move && isPlacement(move) ? ghostOf(state, move) : null,
    cells: hint.reasons[0]?.cells ?? [],
    advice: adviceOf(move, best.text),
    reasons: told.slice(0, 2).map((reason) => describeReason(state, reason)),
    outlook: expert ? outlook(hint) : '',
  };
}

function adviceOf(move: Move | null, text: string): string {
  if (move && isKomi(move)) return t('hint.play-komi', { points: move.komi / 2 });
  return move && isPlacement(move) ? t('hint.play', { move: text }) : t('hint.play-swap');
}

function outlook({ win_prob, margin }: Analysis): string {
  if (win_prob === null) return '';
  const win = percent(win_prob);
  return margin === null ? t('hint.win', { win }) : t('hint.outlook', { win, margin: signed(margin) });
}

/** A reason for a move, or against one, as a sentence to the side to move in this position. */
export function describeReason(state: State, { code, params }: HintReason): string {
  const values: Record<string, string | number> = {
    who: colourName(state.game, state.colourToMove),
    other: colourName(state.game, (1 - state.colourToMove) as Colour),
  };
  for (const [name, value] of Object.entries(params)) {
    values[name] = Array.isArray(value) ? list(value.map((one) => number(Number(one)))) : Number(value);
  }
  if (params.where) values.where = tOr(`where.${String(params.where)}`, '');
  values.n = values.squares ?? values.symbols ?? values.groups ?? 0;
  const key = code === 'covers' && values.own ? 'hint.covers-own' : `hint.${code}`;
  return tOr(key, code, values);
}
