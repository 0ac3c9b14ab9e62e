/** The players `mcts` and `uct`, as `players/searching.py`: tree search with an exact endgame. */

import type { CoreSolution, Handle, Objective, SearchResult } from '../core';
import type { CoreGame, Place } from '../place';
import type { Game } from '../../rules/game';
import type { Limit } from '../types';
import { CONSTRAINED_TIME_FRACTION, Endgame } from './endgame';
import { bestAction, infoFromSearch, infoFromSolution, type Choice } from './info';
import {
  DEFAULT_THINK_S,
  GAME_RULE,
  MoveClock,
  nowS,
  runInSlices,
  STOPPED_SEARCH_S,
  type Player,
  type Turn,
} from './player';

const MEBIBYTE = 1 << 20;
/** Tree memory: enough for every level to search as in the native core. */
const TREE_MIB = 44;
/** The solver helps an analysis without a limit if it could solve the position within this time. */
const SOLVER_HORIZON_S = 600;
/** Seconds of the solver's turns during such an analysis. */
const SOLVER_SLICE_S = 0.25;

export interface SearchOptions {
  amaf: boolean;
  exploration: number;
  first_play_urgency: number;
  rave_bias: number;
  grave_ref: number;
  amaf_min_visits: number;
  amaf_prior: number;
  expand_visits: number;
  widening_factor: number;
  playout_candidates: number;
  amaf_playouts: boolean;
  seed: number;
  /** Bytes. */
  memory: number;
}

const UNCONSTRAINED: SearchOptions = {
  amaf: true,
  exploration: 0.05,
  first_play_urgency: 0.6,
  rave_bias: 3e-4,
  grave_ref: 50,
  amaf_min_visits: 12,
  amaf_prior: 2,
  expand_visits: 4,
  widening_factor: 1.2,
  playout_candidates: 1,
  amaf_playouts: false,
  seed: 0,
  memory: TREE_MIB * MEBIBYTE,
};

/** The strongest options for a game, as `players/presets.py`. */
export function searchPreset(game: Game): SearchOptions {
  const stage = game.stages.find(({ kinds }) => kinds.length > 1);
  if (!stage) return UNCONSTRAINED;
  if (stage.score.source !== 'symbols')
    return { ...UNCONSTRAINED, playout_candidates: 6, amaf_playouts: true, amaf_min_visits: 50 };
  const symbols = { ...UNCONSTRAINED, playout_candidates: 5 };
  return game.stages.length > 1 ? symbols : { ...symbols, exploration: 0.1, rave_bias: 3e-3 };
}

/** Plain UCT, with the exploration that suits a game. */
export function uctPreset(game: Game): SearchOptions {
  const constrained = game.stages.some(({ kinds }) => kinds.length > 1);
  return {
    ...UNCONSTRAINED,
    amaf: false,
    exploration: constrained ? 0.3 : 0.2,
    first_play_urgency: 1,
    expand_visits: 1,
  };
}

/** In the order in which the core reads them; trees are always reused. */
export function optionList(options: SearchOptions): number[] {
  return [...Object.keys(UNCONSTRAINED).map((name) => Number(options[name as keyof SearchOptions])), 1];
}

export class MctsPlayer implements Player {
  private game: CoreGame | null = null;
  private search: Handle | null = null;

  constructor(
    private readonly preset: (game: Game) => SearchOptions,
    private readonly changes: Partial<SearchOptions> = {},
    /** Overrides the limit of each call if it has one. */
    private readonly fixed: Limit = {},
    /** Plays the end exactly; null never does. */
    private readonly endgame: Endgame | null = new Endgame(),
  ) {}

  async prepare({ game }: Place): Promise<void> {
    this.ready(game);
  }

  private ready(game: CoreGame): Handle {
    if (this.search === null || this.game !== game) {
      this.close();
      this.search = game.core.search(game.handle, optionList({ ...this.preset(game.game), ...this.changes }));
      this.game = game;
    }
    return this.search;
  }

  async choose(place: Place, limit: Limit, objective: Objective | null, turn: Turn): Promise<Choice> {
    if (this.fixed.seconds !== undefined || this.fixed.playouts !== undefined) limit = this.fixed;
    const search = this.ready(place.game);
    const goal = objective ?? GAME_RULE;
    if (limit.infinite) return this.chooseUntilStopped(place, search, goal, turn);
    const proven = this.endgame?.mirrorWin(place, goal);
    if (proven) return proven;
    const playouts = limit.playouts ?? null;
    const seconds = limit.seconds ?? (playouts === null ? DEFAULT_THINK_S : null);
    const clock = new MoveClock(seconds);
    const plan = this.endgame?.plan(place, { seconds, playouts }) ?? 'none';
    if (plan === 'solve') {
      const solution = this.endgame!.solve(place, { seconds, playouts }, goal);
      if (solution) return solved(place, solution);
    }
    const fraction = plan === 'check' ? 1 - CONSTRAINED_TIME_FRACTION : 1;
    const remaining = turn.stopped ? STOPPED_SEARCH_S : clock.remaining(fraction);
    let result = await this.run(place, search, { playouts, seconds: remaining }, goal, turn);
    if (plan === 'check' && !turn.stopped) {
      const moves = result.moves.map(({ action }) => action);
      const budget = { seconds: clock.remaining(), playouts };
      result = applyWinCheck(result, this.endgame!.findWin(place, moves, budget, goal));
    }
    return { move: bestAction(result), info: infoFromSearch(result) };
  }

  /** Search until the request is stopped, while the solver tries to prove the result in turns of its own. */
  private async chooseUntilStopped(
    place: Place,
    search: Handle,
    objective: Objective,
    turn: Turn,
  ): Promise<Choice> {
    const prover = new Prover(this.endgame, place, objective);
    const { core } = place;
    const look = () => {
      if (prover.work()) core.stop('search', search);
    };
    const seconds = turn.stopped ? STOPPED_SEARCH_S : null;
    const result = await this.run(place, search, { playouts: null, seconds }, objective, turn, look);
    if (prover.solution) return solved(place, prover.solution);
    return { move: bestAction(result), info: infoFromSearch(result) };
  }

  private async run(
    place: Place,
    search: Handle,
    limits: { playouts: number | null; seconds: number | null },
    objective: Objective,
    turn: Turn,
    look?: () => void,
  ): Promise<SearchResult> {
    const { core, position } = place;
    core.startSearch(search, position, limits.playouts, limits.seconds, objective);
    await runInSlices(core, 'search', search, turn, () => infoFromSearch(core.searchResult(search)), look);
    return core.searchResult(search);
  }

  newGame(): void {
    if (this.search !== null) this.game!.core.reset('search', this.search);
  }

  close(): void {
    if (this.search !== null) this.game!.core.free('search', this.search);
    this.search = null;
    this.endgame?.close();
  }
}

export function solved(place: Place, solution: CoreSolution): Choice {
  const info = infoFromSolution(place.seat, solution);
  return { move: info.pv[0], info };
}

/** Lets the solver work beside a search, half of the time, if it could afford to solve the position. */
export class Prover {
  solution: CoreSolution | null = null;
  private readonly useful: boolean;
  private rest = nowS() + SOLVER_SLICE_S;

  constructor(
    private readonly endgame: Endgame | null,
    private readonly place: Place,
    private readonly objective: Objective,
  ) {
    const budget = { seconds: SOLVER_HORIZON_S, playouts: null };
    this.useful = endgame !== null && endgame.plan(place, budget) === 'solve';
  }

  /** Work if it is the solver's turn; return whether the position is solved. */
  work(): boolean {
    if (!this.useful || this.solution || nowS() < this.rest) return this.solution !== null;
    // A fraction of the time is the solver's: ask for more, to get a whole turn. Its table is kept between turns.
    const found = this.endgame!.solve(
      this.place,
      { seconds: 2 * SOLVER_SLICE_S, playouts: null },
      this.objective,
    );
    if (found?.solved) this.solution = found;
    this.rest = nowS() + SOLVER_SLICE_S;
    return this.solution !== null;
  }
}

/** Put a winning move first, or else the best move that is not known to lose. */
export function applyWinCheck<T extends SearchResult>(result: T, check: CoreSolution): T {
  const winning = check.best.at(0);
  let best = result.moves[0];
  if (winning !== undefined) {
    const searched = result.moves.find(({ action }) => action === winning);
    best = searched
      ? { ...searched, winProb: 1 }
      : { action: winning, visits: 1, winProb: 1, margin: result.margin };
  } else {
    const kept = result.moves.filter(({ action }) => !check.refuted.includes(action));
    if (!kept.length || kept[0] === result.moves[0]) return result;
    best = kept[0];
  }
  const others = result.moves.filter(({ action }) => action !== best.action);
  return { ...result, winProb: best.winProb, margin: best.margin, moves: [best, ...others] };
}
