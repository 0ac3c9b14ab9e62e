/** The engine of the page: what a game, a hint, an analysis or a puzzle may ask of it.
 *
 * The C++ core runs as WebAssembly in a worker; nothing here blocks the page. One request runs at a time, in the order
 * in which they were made. A request is ended early through its `signal`: it then answers with what it has found.
 */

import type { Analysis } from '../net/types';
import type { Seat } from '../rules/definition';
import type { Game } from '../rules/game';
import type { Scores, State } from '../rules/state';

/** A player's text, as on the command line: `level:3`, `mcts`, `mcts:playouts=1000`, `neural`, `greedy`, `random`. */
export type PlayerText = string;

/** Limits of one move, whichever is reached first; without any the player thinks for a second. */
export interface Limit {
  seconds?: number;
  /** Playouts of `mcts`, or evaluations of a net. */
  playouts?: number;
  /** Think until the signal aborts, whatever the other limits are. */
  infinite?: boolean;
}

/** What a match adds to its second game, as `MatchContext` of the Python package. */
export interface MatchContext {
  /** The points that seat 0 is ahead by before this game. */
  lead: number;
  /** The winner of equal totals; null means a drawn match. */
  tieWinner: Seat | null;
}

export interface ThinkOptions {
  limit?: Limit;
  match?: MatchContext;
  /** Ends the request early; it answers with what it has found. */
  signal?: AbortSignal;
  /** Receives interim results, at most two per second, with `final` false. */
  report?: (analysis: Analysis) => void;
}

export interface AnalyseOptions extends ThinkOptions {
  /** Who analyses; the net if there is one for the game, otherwise `mcts`. */
  player?: PlayerText;
  /** The most candidates to return; 10 by default. */
  candidates?: number;
}

export interface ChooseOptions extends ThinkOptions {
  /** Makes the choice repeatable, if the limit is in playouts; the trees of earlier moves are then not reused. */
  seed?: number;
}

export interface Choice {
  /** The action that the player plays. */
  move: number;
  analysis: Analysis;
}

export interface SolveOptions {
  /** Seconds after which the solver gives up; unlimited by default. */
  seconds?: number;
  /** Positions after which it gives up. */
  nodes?: number;
  match?: MatchContext;
  /** Find every best move, not only one; true by default. */
  allBest?: boolean;
  /** Only find out who wins. */
  winnerOnly?: boolean;
  signal?: AbortSignal;
  /** Receives the number of positions searched so far. */
  progress?: (nodes: number) => void;
}

/** The result of the solver, as `Solution` of the Python package. */
export interface Solution {
  solved: boolean;
  /** The seat that wins with best play; null for a draw, or if that is unknown. */
  winner: Seat | null;
  /** The final lead of seat 0 in points with best play; null if unknown or not asked for. */
  margin: number | null;
  /** The best moves as actions, that of `pv` first. */
  best: number[];
  pv: number[];
  nodes: number;
  seconds: number;
}

export interface PositionScore {
  over: boolean;
  scores: Scores;
  /** The winner of a finished game; null for a draw or an unfinished game. */
  winner: Seat | null;
}

/** What this browser's engine can do, once it has started. */
export interface EngineAbilities {
  /** Whether nets run here; without SIMD every level plays as `mcts`. */
  nets: boolean;
  /** Milliseconds from the start of the worker until it was ready. */
  readyMs: number;
}

/** Why the engine could not answer. */
export type EngineErrorCode =
  /** This browser cannot run the engine at all, or its file could not be loaded. */
  | 'unavailable'
  /** The worker died; the next request starts a new one. */
  | 'crashed'
  /** There is not enough memory. */
  | 'memory'
  /** The engine does not support a rule of the game. */
  | 'rules'
  /** The game is over, or the position or a limit is not valid. */
  | 'position'
  /** No such player. */
  | 'player'
  /** The request was stopped before there was anything to answer with. */
  | 'stopped';

export class EngineError extends Error {
  constructor(
    readonly code: EngineErrorCode,
    message: string,
  ) {
    super(message);
    this.name = 'EngineError';
  }
}

/** Something that went wrong but did not end a request, to be said once. */
export interface EngineNotice {
  /** `net`: a net did not load; `browser`: nets do not run in this browser. `mcts` plays instead. */
  code: 'net' | 'browser';
  message: string;
}

/** Every method rejects with an `EngineError`, and with nothing else. */
export interface Engine {
  /** Start the worker, if it has not started, and return what it can do. */
  ready(): Promise<EngineAbilities>;
  /** Load what a game and a player need, before a clock starts. */
  prepare(game: Game, player?: PlayerText): Promise<void>;
  /** The legal actions, sorted. */
  legal(state: State): Promise<number[]>;
  score(state: State): Promise<PositionScore>;
  /** Let a player choose a move. */
  choose(state: State, player: PlayerText, options?: ChooseOptions): Promise<Choice>;
  /** Evaluate a position; the game may be over. */
  analyse(state: State, options?: AnalyseOptions): Promise<Analysis>;
  solve(state: State, options?: SolveOptions): Promise<Solution>;
  /** Drop what was kept of earlier positions, before a new game. */
  newGame(): void;
  /** Called once per kind of notice. */
  onNotice: ((notice: EngineNotice) => void) | null;
  /** End the worker; requests that are under way reject with `stopped`. */
  close(): void;
}
