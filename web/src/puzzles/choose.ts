/** Which puzzle comes next: one that has not been tried, near the own rating. */

import type { Puzzle } from './data';
import type { Progress } from './progress.svelte';

export function nextPuzzle(
  puzzles: readonly Puzzle[],
  progress: Progress,
  theme: string | null = null,
  not: string | null = null,
): Puzzle | null {
  const fitting = puzzles.filter((puzzle) => (!theme || puzzle.theme === theme) && puzzle.id !== not);
  const untried = fitting.filter((puzzle) => !(puzzle.id in progress.tried));
  // When all have been tried, those that failed come again.
  const failed = fitting.filter((puzzle) => progress.tried[puzzle.id] === false);
  const pool = untried.length ? untried : failed.length ? failed : fitting;
  const distance = (puzzle: Puzzle) => Math.abs(puzzle.rating - progress.rating);
  return pool.reduce<Puzzle | null>(
    (best, puzzle) => (best && distance(best) <= distance(puzzle) ? best : puzzle),
    null,
  );
}

/** The path of a puzzle. */
export function puzzlePath(set: string, id: string, theme: string | null = null): string {
  return `/puzzles/${set}/${id}${theme ? `?theme=${theme}` : ''}`;
}
