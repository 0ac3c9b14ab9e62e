/** A position of a review, with the values of the seat that began as Light. */

import type { Mark, ReviewPly } from '../net/types';

export interface PlyEvaluation {
  ply: number;
  /** Win probability, 0 to 1. */
  win: number | null;
  margin: number | null;
  /** The engine's move as text. */
  best: string | null;
  /** Win probability that the played move gave away. */
  loss: number | null;
  mark: Mark | null;
}

/** The server's values are those of the seat to move. */
export function forFirstSeat({ analysis, loss, mark }: ReviewPly): PlyEvaluation {
  const { ply, seat, win_prob, margin, candidates } = analysis;
  const first = seat === 'first';
  return {
    ply,
    win: first || win_prob === null ? win_prob : 1 - win_prob,
    margin: first || margin === null ? margin : -margin,
    best: candidates[0]?.text ?? null,
    loss,
    mark,
  };
}
