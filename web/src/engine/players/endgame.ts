/** Exact endgame play, as `players/endgame.py`: solve the rest of a game instead of searching it, if that is affordable. */

import type { CoreSolution, Handle, Objective } from '../core';
import type { CoreGame, Place } from '../place';
import { solutionOf } from '../solution';
import { NO_OPINION, type Choice } from './info';

const SOLVER_MIB = 16;
/** Fraction of a move's time that solving may take in games without placement constraints. */
const TIME_FRACTION = 0.4;
/** The same with constraints; also the fraction for checking the moves that a search has found. */
export const CONSTRAINED_TIME_FRACTION = 0.5;
const NODES_PER_PLAYOUT = 3;
/** First guess of the solver's speed, until it has been measured. */
const NODES_PER_SECOND = 1_000_000;
const MIN_TIMING_S = 0.01;
const SOLVE_RATIO = { unconstrained: 5, constrained: 5 };
const CHECK_RATIO_CONSTRAINED = 100;
const MEAN_BRANCHING_RATIO = 0.37;

/** What the solver can afford: nothing, a check of single moves for a win, or the solution. */
export type SolverPlan = 'none' | 'check' | 'solve';

export interface Budget {
  seconds: number | null;
  playouts: number | null;
}

export class Endgame {
  private nodesPerSecond = NODES_PER_SECOND;
  private solver: { game: CoreGame; handle: Handle } | null = null;

  /** With `mirrors` it knows the mirror theorem, which proves a win long before the end. */
  constructor(private readonly mirrors = false) {}

  /** The solver of a game, made when it is first needed. */
  private solverOf(game: CoreGame): Handle {
    if (this.solver?.game !== game) {
      this.close();
      this.solver = { game, handle: game.core.solver(game.handle, SOLVER_MIB) };
    }
    return this.solver.handle;
  }

  close(): void {
    if (this.solver) this.solver.game.core.free('solver', this.solver.handle);
    this.solver = null;
  }

  /** A move that wins by the mirror theorem, or null. */
  mirrorWin(place: Place, objective: Objective): Choice | null {
    if (!this.mirrors) return null;
    const move = place.core.mirrorWin(this.solverOf(place.game), place.position, objective);
    if (move === null) return null;
    const candidate = { move, share: 1, winProb: 1, visits: null, margin: null };
    return { move, info: { ...NO_OPINION, winProb: 1, pv: [move], exact: true, candidates: [candidate] } };
  }

  plan(place: Place, { seconds, playouts }: Budget): SolverPlan {
    if (place.stageIndex + 1 < place.game.game.stages.length) return 'none';
    const constrained = place.isConstrained;
    const affordable = Math.min(
      seconds === null ? Infinity : timeFraction(place) * seconds * this.nodesPerSecond,
      playouts === null ? Infinity : NODES_PER_PLAYOUT * playouts,
    );
    // Alpha-beta with good move ordering visits about the square root of all lines.
    const branching = Math.max(1, MEAN_BRANCHING_RATIO * place.core.legal(place.position).length);
    const nodes = branching ** (place.pliesLeft() / 2);
    if (nodes <= SOLVE_RATIO[constrained ? 'constrained' : 'unconstrained'] * affordable) return 'solve';
    return constrained && nodes <= CHECK_RATIO_CONSTRAINED * affordable ? 'check' : 'none';
  }

  /** What the solver has proven in its fraction of the time, or null if that was too short. */
  solve(place: Place, { seconds, playouts }: Budget, objective: Objective): CoreSolution | null {
    const found = place.core.solve(
      this.solverOf(place.game),
      place.position,
      {
        seconds: seconds === null ? null : timeFraction(place) * seconds,
        nodes: playouts === null ? null : NODES_PER_PLAYOUT * playouts,
        allBest: false,
      },
      objective,
    );
    this.measure(found);
    const known = found.solved || solutionOf(found, false).winner !== null;
    return known && found.best.length ? found : null;
  }

  /** Look for a winning move among these actions, most promising first. */
  findWin(place: Place, moves: readonly number[], budget: Budget, objective: Objective): CoreSolution {
    const nodes = budget.playouts === null ? null : NODES_PER_PLAYOUT * budget.playouts;
    const solver = this.solverOf(place.game);
    const limits = { seconds: budget.seconds, nodes };
    const found = place.core.findWin(solver, place.position, moves, limits, objective);
    this.measure(found);
    return found;
  }

  private measure({ nodes, seconds }: CoreSolution): void {
    if (seconds >= MIN_TIMING_S) this.nodesPerSecond += 0.3 * (nodes / seconds - this.nodesPerSecond);
  }
}

function timeFraction(place: Place): number {
  return place.isConstrained ? CONSTRAINED_TIME_FRACTION : TIME_FRACTION;
}
