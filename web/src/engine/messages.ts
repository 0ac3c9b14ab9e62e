/** What the page and its worker tell each other. */

import type { GameDefinition } from '../rules/definition';
import type { Placed } from './core';
import type { Info } from './players/info';
import type { EngineErrorCode, EngineNotice, Limit, MatchContext, PositionScore, Solution } from './types';

/** Where the worker finds its files. */
export interface Files {
  simd: string;
  basic: string;
  /** Nets by name. */
  nets: Record<string, string>;
}

export interface ThinkRequest {
  op: 'think';
  player: string;
  seed: number | null;
  limit: Limit;
  match: MatchContext | null;
}

export interface SolveRequest {
  op: 'solve';
  seconds: number | null;
  nodes: number | null;
  match: MatchContext | null;
  allBest: boolean;
  winnerOnly: boolean;
}

export type Request =
  { op: 'prepare'; player: string } | { op: 'legal' } | { op: 'score' } | ThinkRequest | SolveRequest;

/** The answer to each kind of request. */
export interface Answers {
  prepare: null;
  legal: number[];
  score: PositionScore;
  think: { move: number; info: Info };
  solve: Solution;
}

export type ToWorker =
  | { type: 'start'; files: Files; startedAt: number }
  | { type: 'game'; key: string; definition: GameDefinition }
  | { type: 'request'; id: number; game: string; placed: Placed; request: Request }
  | { type: 'stop'; id: number }
  | { type: 'new-game' };

export type FromWorker =
  | { type: 'ready'; nets: boolean; readyMs: number }
  | { type: 'unavailable'; message: string }
  | { type: 'report'; id: number; info: Info }
  | { type: 'progress'; id: number; nodes: number }
  | { type: 'done'; id: number; answer: Answers[keyof Answers] }
  | { type: 'failed'; id: number; code: EngineErrorCode; message: string }
  | { type: 'notice'; notice: EngineNotice };
