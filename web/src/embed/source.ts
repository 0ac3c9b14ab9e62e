/** What an embedded board shows: a public game or review of the server, or a record in the fragment of the URL. */

import { openText } from '../analysis/open';
import { AnalysisTree } from '../analysis/tree.svelte';
import { loadGame } from '../lib/games';
import { linkTo } from '../lib/router.svelte';
import { call } from '../net/api';
import type { EmbeddedGame, EmbeddedPly } from '../net/generated/contract';
import type { BySeat, Result } from '../net/types';
import { parseRecord } from '../notation/record';
import { looksLikePosition } from '../notation/position';
import { readMove } from '../rules/notation';

export interface Embedded {
  tree: AnalysisTree;
  names: BySeat<string | null>;
  result: Result | null;
  /** The game is being played: more moves will come. */
  live: boolean;
  edition: string | null;
  /** The page that shows more. */
  link: string;
  plies: readonly EmbeddedPly[];
  moves: readonly number[];
}

/** Load what the path or the fragment of the page names. */
export async function openEmbedded(path: string, hash: string): Promise<Embedded> {
  const [, , kind, id] = path.split('/');
  return kind && id ? openServer(await fetchEmbedded(kind, id)) : openFragment(hash);
}

export function fetchEmbedded(kind: string, id: string): Promise<EmbeddedGame> {
  return call<EmbeddedGame>('GET', `/api/embed/${kind}/${encodeURIComponent(id)}`);
}

async function openServer(info: EmbeddedGame): Promise<Embedded> {
  const tree = info.start ? await openText(info.start) : new AnalysisTree(await loadGame(info.game));
  tree.load(info.moves);
  tree.show(info.moves.length);
  return {
    tree,
    names: info.names,
    result: info.result,
    live: info.status !== 'over',
    edition: info.edition,
    link: info.path,
    plies: info.plies,
    moves: info.moves,
  };
}

async function openFragment(hash: string): Promise<Embedded> {
  const shared = new URLSearchParams(hash.slice(1));
  const text = shared.get('record') ?? shared.get('position') ?? '';
  const tree = await openText(text);
  const tags: Record<string, string> = looksLikePosition(text) ? {} : parseRecord(text).tags;
  const name = (tag: string | undefined) => (tag && tag !== '?' ? tag : null);
  tree.show(0);
  return {
    tree,
    names: { first: name(tags.Light), second: name(tags.Dark) },
    result: null,
    live: false,
    edition: null,
    link: linkTo(`/analysis#record=${encodeURIComponent(text)}`),
    plies: [],
    moves: [],
  };
}

/** The engine's line instead of the move played at a ply: the game up to there, then the line. */
export function engineLine(shown: Embedded, ply: number): AnalysisTree | null {
  const line = shown.plies[ply]?.line ?? [];
  if (!line.length) return null;
  const tree = new AnalysisTree(shown.tree.game, shown.tree.start);
  tree.load(shown.moves.slice(0, ply));
  tree.show(ply);
  for (const text of line) {
    const move = readMove(tree.state, text);
    if (!move || tree.state.illegalReason(move)) break;
    tree.play(move);
  }
  tree.show(ply + 1);
  return tree;
}
