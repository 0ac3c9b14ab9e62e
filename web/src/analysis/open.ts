/** What the analysis board opens with: a link, a game, a record or what was on it last. */

import { HAS_SERVER } from '../lib/build';
import { loadGame } from '../lib/games';
import { load, save } from '../lib/localStore';
import { api } from '../net/api';
import { looksLikePosition, parsePosition } from '../notation/position';
import { formatRecord, parseRecord } from '../notation/record';
import { State } from '../rules/state';
import { AnalysisTree } from './tree.svelte';

const KEY = 'analysis';
const DEFAULT_GAME = 'taiji';

/** The tree of a record or a position as text. */
export async function openText(text: string): Promise<AnalysisTree> {
  if (looksLikePosition(text)) {
    const state = await parsePosition(text, loadGame);
    return new AnalysisTree(state.game, state);
  }
  const record = parseRecord(text);
  const game = await loadGame(record.tags.Game);
  const { Position } = record.tags;
  const start = Position ? await parsePosition(Position, loadGame) : State.start(game);
  return AnalysisTree.fromRecord(start.game, start, record);
}

/** The moves of a game on the server. */
async function openMoves(
  text: string,
  start: string | null,
  moves: readonly { action: number }[],
): Promise<AnalysisTree> {
  const game = await loadGame(text);
  const tree = start ? await openText(start) : new AnalysisTree(game);
  tree.load(moves.map(({ action }) => action));
  return tree;
}

/** The tree that an address asks for. */
export async function openAddress(query: URLSearchParams, hash: string): Promise<AnalysisTree> {
  // A static build has the path of the screen in the hash, and the record in the query.
  const shared = HAS_SERVER ? new URLSearchParams(hash.slice(1)).get('record') : query.get('record');
  if (shared) return openText(shared);
  const position = query.get('position');
  if (position) return openText(position);
  const tree = await openSource(query);
  const ply = query.get('ply');
  if (ply !== null) tree.show(Number(ply) || 0);
  return tree;
}

async function openSource(query: URLSearchParams): Promise<AnalysisTree> {
  const table = query.get('table');
  if (table) {
    const { game, moves } = await api.table(table);
    return openMoves(game, null, moves);
  }
  const record = query.get('record');
  if (record) {
    const { game, start, moves } = await api.record(record);
    return openMoves(game, start, moves);
  }
  const game = query.get('game');
  if (game) {
    const tree = new AnalysisTree(await loadGame(game));
    const moves = query.get('moves');
    if (moves) tree.load(moves.split('.').map(Number));
    return tree;
  }
  const saved = load<string | null>(KEY, null);
  if (saved) {
    try {
      return await openText(saved);
    } catch {
      // It belongs to a game that is gone, or to another version of the page.
    }
  }
  return new AnalysisTree(await loadGame(DEFAULT_GAME));
}

export function recordText(tree: AnalysisTree): string {
  return formatRecord(tree.record(), tree.start.ply);
}

/** Keep the tree for the next visit. */
export function keep(tree: AnalysisTree): void {
  save(KEY, recordText(tree));
}

/** The path of a link that opens the tree; nothing of it is stored on the server. */
export function linkPath(tree: AnalysisTree): string {
  return `/analysis${HAS_SERVER ? '#' : '?'}record=${encodeURIComponent(recordText(tree))}`;
}
