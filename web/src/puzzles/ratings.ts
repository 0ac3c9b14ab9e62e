/** Ratings of puzzles by the results of people, kept by the server; without one, those of the package. */

import { HAS_SERVER } from '../lib/build';
import { load, save } from '../lib/localStore';
import { api } from '../net/api';
import type { Puzzle } from './data';

interface Report {
  id: string;
  rating: number;
  solved: boolean;
}

const KEY = 'puzzle-reports';
const MAX_KEPT = 100;
const PATIENCE_MS = 1500;

let known: Promise<Map<string, number>> | null = null;

function loadRatings(): Promise<Map<string, number>> {
  if (!HAS_SERVER) return Promise.resolve(new Map());
  known ??= api.puzzleRatings().then(
    ({ puzzles }) => new Map(puzzles.map(({ id, rating }) => [id, rating])),
    () => {
      known = null;
      return new Map<string, number>();
    },
  );
  return known;
}

const none = () =>
  new Promise<Map<string, number>>((resolve) => setTimeout(() => resolve(new Map()), PATIENCE_MS));

/** The same puzzles with the ratings that people's results gave them, if the server answers soon. */
export async function withRatings(puzzles: Puzzle[]): Promise<Puzzle[]> {
  const ratings = await Promise.race([loadRatings(), none()]);
  return puzzles.map((puzzle) => ({ ...puzzle, rating: ratings.get(puzzle.id) ?? puzzle.rating }));
}

/** Tell the server of a first try, and of those it could not be told before. */
export async function report(id: string, rating: number, solved: boolean): Promise<void> {
  if (!HAS_SERVER) return;
  let waiting = [...load<Report[]>(KEY, []), { id, rating, solved }].slice(-MAX_KEPT);
  save(KEY, waiting);
  while (waiting.length) {
    const { id, rating, solved } = waiting[0];
    try {
      await api.reportPuzzle(id, rating, solved);
    } catch (failure) {
      // A server that does not know the puzzle never will; otherwise the next try tells it again.
      if (!(failure instanceof Error) || !('status' in failure) || failure.status !== 404) return;
    }
    waiting = waiting.slice(1);
    save(KEY, waiting.length ? waiting : null);
  }
}
