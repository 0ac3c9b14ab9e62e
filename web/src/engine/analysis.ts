/** What a player found as the contract's `Analysis`, as `analysis/position.py` makes it. */

import type { Analysis } from '../net/types';
import { moveText } from '../rules/notation';
import type { State } from '../rules/state';
import type { CandidateMove, Info } from './players/info';
import { explain } from './reasons';

type Candidate = Analysis['candidates'][0];

const SEATS = ['first', 'second'] as const;

/** What a player reported as an analysis; it is final if the chosen move is given. */
export function analysisFrom(
  state: State,
  info: Info,
  player: string,
  move: number | null,
  candidates: number,
): Analysis {
  const chosen = move === null ? null : state.game.move(move);
  return {
    ply: state.ply,
    seat: SEATS[state.seatToMove],
    win_prob: rounded(info.winProb, 4),
    margin: rounded(info.margin, 2),
    exact: info.exact,
    final: move !== null,
    playouts: info.playouts,
    seconds: rounded(info.seconds, 3)!,
    player,
    candidates: candidatesOf(state, info, move).slice(0, candidates),
    reasons: chosen ? explain(state, chosen) : [],
  };
}

/** The candidates, the chosen move first with the values and the variation of the position. */
function candidatesOf(state: State, info: Info, chosen: number | null): Candidate[] {
  const best = chosen ?? info.pv.at(0) ?? null;
  const others = info.candidates
    .filter(({ move }) => move !== best)
    .map((entry) => candidateOf(state, entry, [entry.move]));
  if (best === null) return others;
  const searched = info.candidates.find(({ move }) => move === best);
  const entry: CandidateMove = {
    ...(searched ?? { move: best, share: others.length ? 0 : 1, visits: null }),
    winProb: info.winProb,
    margin: info.margin,
  };
  return [candidateOf(state, entry, info.pv[0] === best ? info.pv : [best]), ...others];
}

function candidateOf(state: State, entry: CandidateMove, pv: readonly number[]): Candidate {
  const text = (action: number) => moveText(state.game, state.game.move(action)!);
  return {
    move: entry.move,
    text: text(entry.move),
    visits: entry.visits,
    share: rounded(entry.share, 4)!,
    prior: null,
    win_prob: rounded(entry.winProb, 4),
    margin: rounded(entry.margin, 2),
    pv: pv.map(text),
  };
}

/** The result of a finished game as an exact analysis without candidates. */
export function analysisOfEnd(state: State): Analysis {
  const { winner, scores } = state.outcome()!;
  const seat = state.seatToMove;
  return {
    ply: state.ply,
    seat: SEATS[seat],
    win_prob: winner === null ? 0.5 : Number(winner === seat),
    margin: scores[seat] - scores[1 - seat],
    exact: true,
    final: true,
    playouts: 0,
    seconds: 0,
    player: '',
    candidates: [],
    reasons: [],
  };
}

function rounded(value: number | null, digits: number): number | null {
  return value === null ? null : Number(value.toFixed(digits));
}
