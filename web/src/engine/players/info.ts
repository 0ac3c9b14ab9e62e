/** What a player says about a position, from the mover's view; as `Info` of the Python package, with actions for moves. */

import type { CoreSolution, SearchResult } from '../core';
import { solutionOf } from '../solution';

/** The most candidates of a search that are kept. */
const MAX_CANDIDATES = 20;

export interface CandidateMove {
  move: number;
  share: number;
  winProb: number | null;
  visits: number | null;
  margin: number | null;
}

export interface Info {
  winProb: number | null;
  margin: number | null;
  pv: number[];
  playouts: number;
  seconds: number;
  exact: boolean;
  candidates: CandidateMove[];
}

export interface Choice {
  move: number;
  info: Info;
}

export const NO_OPINION: Info = {
  winProb: null,
  margin: null,
  pv: [],
  playouts: 0,
  seconds: 0,
  exact: false,
  candidates: [],
};

export function bestAction({ moves }: SearchResult): number {
  return moves.length ? moves[0].action : -1;
}

export function infoFromSearch(result: SearchResult): Info {
  const { moves, winProb, margin, playouts, seconds } = result;
  const best = bestAction(result);
  const visits = Math.max(
    1,
    moves.reduce((sum, move) => sum + move.visits, 0),
  );
  return {
    winProb,
    margin,
    // After few playouts the principal variation may begin with another of several equal moves.
    pv: result.pv[0] === best ? result.pv : [best],
    playouts,
    seconds,
    exact: false,
    candidates: moves.slice(0, MAX_CANDIDATES).map((move) => ({
      move: move.action,
      share: move.visits / visits,
      winProb: move.winProb,
      visits: move.visits,
      margin: move.margin,
    })),
  };
}

/** A solution as the evaluation of the seat to move. */
export function infoFromSolution(seat: number, found: CoreSolution): Info {
  const solution = solutionOf(found, false);
  const winProb = solution.winner === null ? 0.5 : Number(solution.winner === seat);
  const margin = solution.margin !== null && seat === 1 ? 0 - solution.margin : solution.margin;
  return {
    winProb,
    margin,
    pv: solution.pv.length ? solution.pv : solution.best.slice(0, 1),
    playouts: solution.nodes,
    seconds: solution.seconds,
    exact: true,
    candidates: solution.best.map((move) => ({
      move,
      share: 1 / solution.best.length,
      winProb,
      visits: null,
      margin,
    })),
  };
}
