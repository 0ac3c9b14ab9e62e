/** The puzzle sets of the package: files of the build, so that they work without a server. */

import { withRatings } from './ratings';

const FILES = import.meta.glob<string>('../../../src/taiji/analysis/puzzles/sets/*.jsonl', {
  query: '?url',
  import: 'default',
  eager: true,
});

export interface Puzzle {
  id: string;
  game: string;
  position: string;
  /** The solver's and the defender's moves in turn; every move of the solver is the only right one. */
  solution: string[];
  goal: 'win' | 'margin';
  rating: number;
  theme: string;
  choices: number;
  /** Best play from the end of the solution to the end of the game. */
  rest: string[];
}

/** The sets in the order of their names, as in the package. */
const ADDRESSES = new Map(
  Object.entries(FILES)
    .map(([path, address]): [string, string] => [path.replace(/^.*\/|\.jsonl$/g, ''), address])
    .sort(([a], [b]) => (a < b ? -1 : 1)),
);
export const SETS: readonly string[] = [...ADDRESSES.keys()];
export const THEMES = ['join', 'cut', 'room', 'grow', 'cover', 'last-piece', 'quiet'];

/** The game of each set. */
export function gameOfSet(name: string): string {
  const size = /^taiji-(\d+)$/.exec(name)?.[1];
  if (!size) return name;
  return size === '9' ? 'taiji' : `taiji:size=${size}`;
}

const sets = new Map<string, Promise<Puzzle[]>>();

/** The puzzles of a set; rejects if it is unknown or cannot be fetched. */
export function loadSet(name: string): Promise<Puzzle[]> {
  let set = sets.get(name);
  if (!set) {
    set = fetched(name);
    set.catch(() => sets.delete(name));
    sets.set(name, set);
  }
  return set;
}

async function fetched(name: string): Promise<Puzzle[]> {
  const address = ADDRESSES.get(name);
  if (!address) throw new Error(`no set ${name}`);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`no puzzles at ${address}`);
  return withRatings(readPuzzles(await response.text()));
}

/** The puzzles of a file, one JSON object per line. */
export function readPuzzles(text: string): Puzzle[] {
  return text
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => JSON.parse(line) as Puzzle);
}
