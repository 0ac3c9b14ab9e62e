/** Reviews of games kept in this browser, made in the page: the same calls as the server's. */

import { loadGame } from '../lib/games';
import { ApiError } from '../net/api';
import type { ReviewInfo, StoredReview, TriedMove } from '../net/types';
import type { Game, Move } from '../rules/game';
import { State } from '../rules/state';
import { GameReview, judgeTry, REVIEW_SECONDS, secondsFor } from '../think/review';
import { analyse } from '../think/think';
import { readGame, writeGame, type SavedGame } from './savedGames';

interface Running {
  review: ReviewInfo;
  stop: AbortController;
}

/** The review that is being made; one at a time, as there is one engine. */
let running: Running | null = null;

/** A review of the game with this id; there is one per game, which has the same id. */
export const localReviews = {
  async storedReview({ local }: { local: string }): Promise<StoredReview> {
    const current = running?.review.id === local ? running.review : null;
    return { review: current ?? (await readGame(local))?.review ?? null };
  },

  async startReview({ local }: { local: string }, depth: string): Promise<ReviewInfo> {
    const saved = await kept(local);
    const { states, moves } = replay(await loadGame(saved.game), saved.moves);
    const judged = new GameReview(states, moves);
    running?.stop.abort();
    const mine = (running = { review: described(saved, judged, 'running'), stop: new AbortController() });
    void go(saved, judged, REVIEW_SECONDS[depth] ?? REVIEW_SECONDS.normal, mine);
    return mine.review;
  },

  async review(id: string, after = 0): Promise<ReviewInfo> {
    const { review } = await localReviews.storedReview({ local: id });
    if (!review) throw new ApiError(404, { code: 'not-found', message: id });
    return { ...review, plies: review.plies.slice(after) };
  },

  async cancelReview(id: string): Promise<void> {
    if (running?.review.id === id) running.stop.abort();
  },

  async deleteReview(id: string): Promise<void> {
    await writeGame({ ...(await kept(id)), review: null });
  },

  async tryMove(id: string, ply: number, action: number): Promise<TriedMove> {
    const { plies } = await localReviews.review(id);
    const saved = await kept(id);
    const game = await loadGame(saved.game);
    const { states, moves } = replay(game, [...saved.moves.slice(0, ply), action]);
    const tried = moves[ply];
    const position = { state: states[ply + 1], moves: moves.map((move) => move.action) };
    const after = await analyse(position, { seconds: REVIEW_SECONDS.normal, lines: 1 });
    return judgeTry(states[ply], tried, plies[ply].analysis, after);
  },
};

/** Analyse position after position, and keep the review when it is complete. */
async function go(saved: SavedGame, judged: GameReview, seconds: number, mine: Running): Promise<void> {
  const { signal } = mine.stop;
  try {
    for (let state = judged.position; state && !signal.aborted; state = judged.position) {
      const ply = judged.plies.length;
      const position = { state, moves: saved.moves.slice(0, ply) };
      const analysis = await analyse(position, { seconds: secondsFor(ply, seconds), lines: 1, signal });
      if (!signal.aborted) judged.add(analysis);
      mine.review = described(saved, judged, 'running');
    }
    mine.review = described(saved, judged, signal.aborted ? 'cancelled' : 'done');
    if (!signal.aborted) await writeGame({ ...(await kept(saved.id)), review: mine.review });
  } catch (error) {
    mine.review = { ...described(saved, judged, 'failed'), error: String(error) };
  }
}

async function kept(id: string): Promise<SavedGame> {
  const saved = await readGame(id);
  if (!saved) throw new ApiError(404, { code: 'not-found', message: id });
  return saved;
}

function replay(game: Game, actions: readonly number[]): { states: State[]; moves: Move[] } {
  const states = [State.start(game)];
  const moves = actions.map((action) => game.move(action)!);
  for (const move of moves) states.push(states[states.length - 1].play(move));
  return { states, moves };
}

function described(saved: SavedGame, judged: GameReview, state: ReviewInfo['state']): ReviewInfo {
  return {
    id: saved.id,
    state,
    done: judged.plies.length,
    total: saved.moves.length + 1,
    game: saved.game,
    start: null,
    moves: saved.moves,
    table: null,
    record: null,
    shared: false,
    yours: true,
    first: judged.seat('first'),
    second: judged.seat('second'),
    turning_points: judged.turningPoints,
    plies: [...judged.plies],
    error: null,
  };
}
