/** The games kept in this browser. What cannot be kept stays in memory, and that is said once. */

import { newId } from '../lib/ids';
import { load, save } from '../lib/localStore';
import { notices } from '../lib/notices.svelte';
import type { ReviewInfo } from '../net/types';
import type { Seat } from '../rules/definition';
import type { Scores } from '../rules/state';
import { database, StorageError } from './database';

export interface SavedGame {
  id: string;
  /** The game's text, or the name of an edition. */
  game: string;
  moves: number[];
  match: boolean;
  /** Scores of the finished games of the match, by seat. */
  games: Scores[];
  resigned: Seat | null;
  /** The computer's seat and level; null if both sides are played here. */
  computer: { seat: Seat; level: number } | null;
  /** The names of an imported record, by seat. */
  names: [string | null, string | null];
  /** The points so far, and who won: what a list shows without replaying the game. */
  scores: Scores;
  over: boolean;
  winner: Seat | null;
  /** The review of the game as it stands. */
  review: ReviewInfo | null;
  /** Milliseconds since 1970. */
  started: number;
  updated: number;
}

/** Games that could not be written; a page that is closed loses them. */
const unsaved = new Map<string, SavedGame>();

export function newSavedGame(game: string, options: Partial<SavedGame> = {}): SavedGame {
  const now = Date.now();
  return {
    id: newId(),
    game,
    moves: [],
    match: false,
    games: [],
    resigned: null,
    computer: null,
    names: [null, null],
    scores: [0, 0],
    over: false,
    winner: null,
    review: null,
    started: now,
    updated: now,
    ...options,
  };
}

export async function writeGame(game: SavedGame): Promise<void> {
  unsaved.set(game.id, game);
  try {
    await database.put(game);
    // A later state of the game may be waiting by now.
    if (unsaved.get(game.id) === game) unsaved.delete(game.id);
  } catch (error) {
    said(error);
  }
  warnBeforeClosing();
}

export async function readGame(id: string): Promise<SavedGame | null> {
  const kept = unsaved.get(id);
  if (kept) return kept;
  try {
    return (await database.get<SavedGame>(id)) ?? null;
  } catch (error) {
    said(error);
    return null;
  }
}

export async function removeGame(id: string): Promise<void> {
  unsaved.delete(id);
  warnBeforeClosing();
  await database.remove(id).catch(said);
}

/** All games, the latest first. */
export async function allGames(): Promise<SavedGame[]> {
  await importEarlier();
  let stored: SavedGame[] = [];
  try {
    stored = await database.all<SavedGame>();
  } catch (error) {
    said(error);
  }
  const others = stored.filter((game) => !unsaved.has(game.id));
  return [...others, ...unsaved.values()].sort((a, b) => b.updated - a.updated);
}

/** The unfinished game that was played last; null if there is none. */
export async function latestUnfinished(): Promise<SavedGame | null> {
  return (await allGames()).find((game) => !game.over) ?? null;
}

/** Earlier versions kept one game, in local storage. */
const EARLIER = 'one-screen';

async function importEarlier(): Promise<void> {
  const saved = load<Partial<SavedGame> | null>(EARLIER, null);
  if (!saved?.game) return;
  await writeGame(newSavedGame(saved.game, { ...saved, over: saved.resigned != null }));
  save(EARLIER, null);
}

function said(error: unknown): void {
  const full = error instanceof StorageError && error.code === 'full';
  notices.say(full ? 'notice.storage-full' : 'notice.storage-forbidden');
}

const warn = (event: BeforeUnloadEvent) => event.preventDefault();

/** Let the browser ask before a page is closed that holds the only copy of a game. */
function warnBeforeClosing(): void {
  const held = [...unsaved.values()].some((game) => game.moves.length);
  if (held) addEventListener('beforeunload', warn);
  else removeEventListener('beforeunload', warn);
}
