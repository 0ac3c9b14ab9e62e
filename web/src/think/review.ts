/** A review in the page: judges each played move as `analysis/review.py` does on the server. */

import { explain, explainAgainst } from '../engine/reasons';
import type { Analysis, Mark, ReviewPly, SeatName } from '../net/types';
import type { MoveReason, SeatReview, TriedMove } from '../net/generated/contract';
import type { Move } from '../rules/game';
import { moveText, readMove } from '../rules/notation';
import type { State } from '../rules/state';

/** Seconds per position. */
export const REVIEW_SECONDS: Record<string, number> = { quick: 0.15, normal: 0.4, deep: 2.5 };
/** Seconds of the first two positions, so that the first move is judged at once. */
const FIRST_SECONDS = 0.1;
/** Minimum loss of win probability for each mark, largest first. */
const MARKS: readonly (readonly [number, Mark])[] = [
  [0.2, 'blunder'],
  [0.1, 'mistake'],
  [0.05, 'inaccuracy'],
];
const ACCURACY_DECAY = 4;

export function secondsFor(ply: number, seconds: number): number {
  return ply < 2 ? Math.min(seconds, FIRST_SECONDS) : seconds;
}

/** The win probability that the played action gave away; null if it is unknown. */
function winProbLoss(before: Analysis, played: number, after: Analysis): number | null {
  if (before.candidates[0]?.move === played) return 0;
  if (before.win_prob === null || after.win_prob === null) return null;
  const kept = after.seat === before.seat ? after.win_prob : 1 - after.win_prob;
  return rounded(Math.max(0, before.win_prob - kept), 4);
}

/** The points of the expected margin that the played action gave away; null if unknown. */
function marginLoss(before: Analysis, played: number, after: Analysis): number | null {
  if (before.candidates[0]?.move === played) return 0;
  if (before.margin === null || after.margin === null) return null;
  const kept = after.seat === before.seat ? after.margin : -after.margin;
  return rounded(Math.max(0, before.margin - kept), 2);
}

function classify(loss: number | null): Mark | null {
  if (loss === null) return null;
  return MARKS.find(([least]) => loss >= least)?.[1] ?? null;
}

/** What the best reply gains from a move, played in `state`, that was not the best. */
function reasonsAgainst(state: State, move: Move, before: Analysis, after: Analysis): MoveReason[] {
  const best = before.candidates[0];
  const reply = after.candidates[0];
  if (!best || best.move === move.action || !reply) return [];
  const { game } = state;
  const first = game.move(best.move)!;
  const second = best.pv.length > 1 ? readMove(state.play(first), best.pv[1]) : null;
  return explainAgainst(state, move, game.move(reply.move), second ? [first, second] : [first]);
}

/** Judge a move that a reader tries in a reviewed position, from the analyses before and after it. */
export function judgeTry(state: State, move: Move, before: Analysis, after: Analysis): TriedMove {
  const loss = winProbLoss(before, move.action, after);
  const best = before.candidates[0]?.move === move.action;
  const mark = classify(loss);
  return {
    move: move.action,
    text: moveText(state.game, move),
    verdict: best ? 'best' : loss === null ? 'unknown' : (mark ?? 'good'),
    loss,
    margin_loss: marginLoss(before, move.action, after),
    reasons: explain(state, move),
    against: mark ? reasonsAgainst(state, move, before, after) : [],
  };
}

/** A review in progress: the analyses of the positions before each move and after the last are added in turn. */
export class GameReview {
  readonly plies: ReviewPly[] = [];

  constructor(
    /** The position before each move, and the last. */
    private readonly states: readonly State[],
    private readonly moves: readonly Move[],
  ) {}

  /** The next position to analyse; null at the end. */
  get position(): State | null {
    return this.states[this.plies.length] ?? null;
  }

  add(analysis: Analysis): void {
    const at = this.plies.length;
    const placed = { ...analysis, ply: at };
    const before = this.plies[at - 1];
    if (before?.played) {
      const loss = winProbLoss(before.analysis, before.played.move, placed);
      const margin_loss = marginLoss(before.analysis, before.played.move, placed);
      const against = reasonsAgainst(this.states[at - 1], this.moves[at - 1], before.analysis, placed);
      this.plies[at - 1] = { ...before, loss, mark: classify(loss), margin_loss, against };
    }
    const move = this.moves[at];
    const played = move ? { move: move.action, text: moveText(this.states[at].game, move) } : null;
    this.plies.push({ analysis: placed, played, loss: null, mark: null, margin_loss: null, against: [] });
  }

  /** How well a seat played so far; a move of unknown loss counts as a move, not for the averages. */
  seat(seat: SeatName): SeatReview {
    const own = this.plies.slice(0, -1).filter(({ analysis }) => analysis.seat === seat);
    const losses = own.map(({ loss }) => loss).filter((loss) => loss != null);
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const marked = (mark: Mark) => own.filter((ply) => ply.mark === mark).length;
    const accuracy = mean(losses.map((loss) => Math.exp(-ACCURACY_DECAY * loss)));
    return {
      moves: own.length,
      accuracy: losses.length ? rounded(100 * accuracy, 1) : null,
      loss: losses.length ? rounded(mean(losses), 4) : null,
      inaccuracies: marked('inaccuracy'),
      mistakes: marked('mistake'),
      blunders: marked('blunder'),
    };
  }

  /** The indices of the marked moves with which the favourite gave the lead away. */
  get turningPoints(): number[] {
    return this.plies.flatMap(({ mark, loss, analysis: { win_prob } }, index) =>
      mark && loss != null && win_prob !== null && win_prob > 0.5 && win_prob - loss < 0.5 ? [index] : [],
    );
  }
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
