/** Where a reviewed game comes from, and its stored review. */

import { openText } from '../analysis/open';
import { AnalysisTree } from '../analysis/tree.svelte';
import { loadGame } from '../lib/games';
import { playerName } from '../lib/titles';
import { knownName } from '../local/names';
import { localReviews } from '../local/reviews';
import { readGame } from '../local/savedGames';
import { api, ApiError } from '../net/api';
import type { BySeat, ReviewInfo } from '../net/types';

export type ServerSource = { table: string } | { record: string };
/** A game of the server, or one kept in this browser. */
export type GameSource = ServerSource | { local: string };
/** A game, or a review by its link. */
export type Source = GameSource | { review: string };

export interface OpenedGame {
  /** The game to review again; null if it is gone. */
  game: GameSource | null;
  tree: AnalysisTree;
  names: BySeat<string | null>;
  /** The API path of the downloads; null if the game is gone. */
  base: string | null;
  stored: ReviewInfo | null;
}

export async function openSource(source: Source): Promise<OpenedGame> {
  if ('review' in source) return openReview(await api.review(source.review));
  if ('local' in source) return openLocal(source.local);
  const opened = 'table' in source ? await openTable(source.table) : await openRecord(source.record);
  const { review } = await api.storedReview(source);
  return { ...opened, stored: review };
}

async function openReview(stored: ReviewInfo): Promise<OpenedGame> {
  const { table, record } = stored;
  try {
    if (table) return { ...(await openTable(table)), stored };
    if (record) return { ...(await openRecord(record)), stored };
  } catch {
    // The game is gone; the review still has its moves.
  }
  const tree = await treeOf(stored.game, stored.start, stored.moves);
  return { game: null, tree, names: { first: null, second: null }, base: null, stored };
}

async function openLocal(id: string): Promise<OpenedGame> {
  const saved = await readGame(id);
  if (!saved) throw new ApiError(404, { code: 'not-found', message: id });
  const tree = await treeOf(saved.game, null, saved.moves);
  const { review } = await localReviews.storedReview({ local: id });
  const names = { first: knownName(saved, 0), second: knownName(saved, 1) };
  return { game: { local: id }, tree, names, base: null, stored: review };
}

async function openTable(id: string): Promise<OpenedGame> {
  const table = await api.table(id);
  const moves = table.moves.map(({ action }) => action);
  const names = { first: playerName(table.seats.first), second: playerName(table.seats.second) };
  const tree = await treeOf(table.game, null, moves);
  return { game: { table: id }, tree, names, base: `/api/tables/${id}`, stored: null };
}

async function openRecord(id: string): Promise<OpenedGame> {
  const record = await api.record(id);
  const moves = record.moves.map(({ action }) => action);
  const tree = await treeOf(record.game, record.start, moves);
  return { game: { record: id }, tree, names: record.names, base: `/api/records/${id}`, stored: null };
}

async function treeOf(game: string, start: string | null, moves: readonly number[]): Promise<AnalysisTree> {
  const tree = start ? await openText(start) : new AnalysisTree(await loadGame(game));
  tree.load(moves);
  tree.show(moves.length);
  return tree;
}
