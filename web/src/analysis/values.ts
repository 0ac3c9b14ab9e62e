/** Evaluations as text, without more precision than a search has. */

import { number, percent, signed, t } from '../i18n/index.svelte';

/** A win probability: whole percent, and never certain unless it is proven. */
export function winText(win: number | null, exact = false): string {
  if (win === null) return '–';
  if (exact) return percent(win);
  if (win < 0.01) return `< ${percent(0.01)}`;
  if (win > 0.99) return `> ${percent(0.99)}`;
  return percent(win);
}

/** An expected margin: to half points, unless it is proven. */
export function marginText(margin: number | null, exact = false): string {
  if (margin === null) return '–';
  if (exact) return signed(margin);
  const half = Math.round(2 * margin) / 2;
  return `≈ ${half ? signed(half) : number(0)}`;
}

/** An evaluation as a sentence about the side that it belongs to. */
export function valueSentence(
  who: string,
  win: number | null,
  margin: number | null,
  exact: boolean,
): string {
  if (win === null) return t('analysis.unknown', { who });
  const values = { who, win: winText(win, exact), margin: marginText(margin, exact) };
  if (exact) return t('analysis.proven', values);
  return margin === null ? t('analysis.win', values) : t('analysis.value', values);
}
