/** The study of the family that ships with the app: `taiji study`, summarised by `tools/family_study.py`. */

import family from '$family';

/** A value with its 95 % interval: value, low, high. */
export type Estimate = [number, number, number];

/** A player and its limit per move: `mcts` is tree search, `net` is search with a trained net. */
export interface Strength {
  player: 'mcts' | 'net';
  playouts: number;
}

export interface StudyCell extends Strength {
  games: number;
  starter: Estimate;
  ties: Estimate;
  komi: Estimate | null;
  length: Estimate;
  branching: Estimate;
}

export interface StudyGame {
  game: string;
  /** The number of seeded boards, 0 for one board. */
  boards: number;
  /** The proven winner, or nothing. */
  winner: string;
  cells: StudyCell[];
}

export interface FamilyStudy {
  seed: number;
  /** Weakest first. */
  strengths: Strength[];
  games: StudyGame[];
}

export const MEASURES = ['starter', 'ties', 'komi', 'length', 'branching'] as const;
export type Measure = (typeof MEASURES)[number];

/** Komi of products of groups are in the thousands and say nothing beside the others. */
const MAX_KOMI = 50;

export const study = family as unknown as FamilyStudy;

/** The number of games of all cells. */
export const played = study.games.flatMap(({ cells }) => cells).reduce((sum, { games }) => sum + games, 0);

/** The cell of a game at a strength. */
export function cellOf(game: StudyGame, { player, playouts }: Strength): StudyCell | undefined {
  return game.cells.find((cell) => cell.player === player && cell.playouts === playouts);
}

/** A value as the plots show it: shares in per cent. */
export function scaled(measure: Measure, estimate: Estimate): Estimate {
  const factor = measure === 'starter' || measure === 'ties' ? 100 : 1;
  return [factor * estimate[0], factor * estimate[1], factor * estimate[2]];
}

/** The estimate of a cell; null if there is none that can be shown. */
export function estimateOf(cell: StudyCell, measure: Measure): Estimate | null {
  const estimate = cell[measure];
  if (!estimate) return null;
  if (measure === 'komi' && Math.max(...estimate.map(Math.abs)) > MAX_KOMI) return null;
  return scaled(measure, estimate);
}

/** Round numbers from `low` to `high`, at most about `count`. */
export function ticks(low: number, high: number, count = 6): number[] {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? 10 * power;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/** The range of the axis: 0 to 100 for shares, else what the intervals need. */
export function range(games: readonly StudyGame[], measure: Measure): [number, number] {
  if (measure === 'starter' || measure === 'ties') return [0, 100];
  const shown = games.flatMap(({ cells }) => cells.map((cell) => estimateOf(cell, measure)));
  const values = shown.flatMap((estimate) => estimate ?? []);
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const pad = 0.04 * (high - low || 1);
  return [low < 0 ? low - pad : low, high + pad];
}
