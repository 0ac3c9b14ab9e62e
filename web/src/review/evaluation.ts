/** A position of a review, with the values of the seat that began as Light. */

import { marginText, winText } from '../analysis/values';
import { t } from '../i18n/index.svelte';
import type { Mark, ReviewPly } from '../net/types';

export interface PlyEvaluation {
  ply: number;
  /** Win probability, 0 to 1. */
  win: number | null;
  margin: number | null;
  /** Whether the values are proven. */
  exact: boolean;
  /** The engine's move as text. */
  best: string | null;
  /** Win probability that the played move gave away. */
  loss: number | null;
  mark: Mark | null;
}

/** The server's values are those of the seat to move. */
export function forFirstSeat({ analysis, loss, mark }: ReviewPly): PlyEvaluation {
  const { ply, seat, win_prob, margin, exact, candidates } = analysis;
  const first = seat === 'first';
  return {
    ply,
    win: first || win_prob === null ? win_prob : 1 - win_prob,
    margin: first || margin === null ? margin : -margin,
    exact,
    best: candidates[0]?.text ?? null,
    loss,
    mark,
  };
}

/** The values of a position in words; `who` began as Light. */
export function evaluationWords(entry: PlyEvaluation | undefined, who: string): string {
  if (entry?.win == null) return t('review.graph-empty');
  return t('review.graph-here', {
    who,
    win: winText(entry.win, entry.exact),
    margin: marginText(entry.margin, entry.exact),
  });
}
