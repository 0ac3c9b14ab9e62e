/** The review of a game: the engine's judgement of each move, and attempts to do better. */

import type { AnalysisTree } from '../analysis/tree.svelte';
import { ghostOf, type Ghost } from '../board/ghost';
import { localReviews } from '../local/reviews';
import { api, errorInfo } from '../net/api';
import type { BySeat, ErrorInfo, Mark, ReviewInfo, ReviewPly, TriedMove } from '../net/types';
import { isPlacement, type Move } from '../rules/game';
import type { State } from '../rules/state';
import { forFirstSeat } from './evaluation';
import { openSource, type GameSource, type OpenedGame, type Source } from './source';

const POLL_MS = 300;

/** A mistake that the reader corrects. */
export interface Attempt {
  /** The ply of the mistake. */
  ply: number;
  judging: boolean;
  tried: TriedMove | null;
  /** Whether the answer is shown. */
  shown: boolean;
}

export class Review {
  readonly tree: AnalysisTree;
  readonly names: BySeat<string | null>;
  readonly base: string | null;
  readonly game: GameSource | null;
  info = $state.raw<ReviewInfo | null>(null);
  plies = $state.raw<readonly ReviewPly[]>([]);
  error = $state.raw<ErrorInfo | null>(null);
  attempt = $state.raw<Attempt | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;

  private constructor({ tree, names, base, game, stored }: OpenedGame) {
    this.tree = tree;
    this.names = names;
    this.base = base;
    this.game = game;
    if (stored) this.take(stored);
  }

  static async open(source: Source): Promise<Review> {
    return new Review(await openSource(source));
  }

  readonly evaluations = $derived(this.plies.map(forFirstSeat));
  readonly marks: Record<number, Mark | null> = $derived(
    Object.fromEntries(this.plies.map(({ mark }, ply) => [ply, mark])),
  );
  /** The plies of the marked moves. */
  readonly mistakes: number[] = $derived([...this.plies.keys()].filter((ply) => this.plies[ply].mark));

  /** The ply of the game that is shown, or at which the shown variation leaves it. */
  get ply(): number {
    const path = this.tree.current.path;
    const off = path.findIndex((node) => node.parent!.children[0] !== node);
    return off < 0 ? path.length : off;
  }

  get onGame(): boolean {
    return this.tree.onMainLine;
  }

  get running(): boolean {
    return this.info?.state === 'queued' || this.info?.state === 'running';
  }

  /** The marked move that led to the shown position; null in a variation. */
  get judged(): ReviewPly | null {
    const ply = this.onGame ? this.plies[this.tree.ply - 1] : null;
    return ply?.mark ? ply : null;
  }

  /** The position before a ply of the game. */
  before(ply: number): State {
    let node = this.tree.root;
    for (let at = 0; at < ply; at++) node = node.children[0];
    return node.state;
  }

  /** The better move to draw on the board. */
  get better(): Ghost | null {
    if (this.attempt) return this.attempt.shown ? this.ghostAt(this.attempt.ply) : null;
    if (!this.onGame) return null;
    return this.ghostAt(this.judged ? this.tree.ply - 1 : this.tree.ply);
  }

  private ghostAt(ply: number): Ghost | null {
    const best = this.plies[ply]?.analysis.candidates[0];
    const move = best && this.tree.game.move(best.move);
    return move && isPlacement(move) ? ghostOf(this.before(ply), move) : null;
  }

  async start(depth: string): Promise<void> {
    if (!this.game) return;
    this.error = null;
    this.plies = [];
    this.attempt = null;
    try {
      const { game } = this;
      this.take(
        await ('local' in game ? localReviews.startReview(game, depth) : api.startReview(game, depth)),
      );
    } catch (error) {
      this.error = errorInfo(error);
    }
  }

  /** Who makes and keeps the review: the server, or this page. */
  private get reviews(): typeof localReviews | typeof api {
    return this.game && 'local' in this.game ? localReviews : api;
  }

  /** Stop asking; the review goes on and is stored. */
  leave(): void {
    clearTimeout(this.timer);
  }

  async cancel(): Promise<void> {
    this.leave();
    if (!this.info || !this.running) return;
    await this.reviews.cancelReview(this.info.id).catch(() => undefined);
    this.info = { ...this.info, state: 'cancelled' };
  }

  private take(info: ReviewInfo): void {
    const first = info.plies[0]?.analysis.ply;
    if (first !== undefined) this.plies = [...this.plies.slice(0, first), ...info.plies];
    this.info = info;
    if (info.state === 'failed') this.error = { code: 'review-failed', message: info.error ?? '' };
    if (this.running) this.timer = setTimeout(() => void this.ask(info.id), POLL_MS);
  }

  private async ask(id: string): Promise<void> {
    try {
      // The last position known is judged by the next one.
      this.take(await this.reviews.review(id, Math.max(0, this.plies.length - 1)));
    } catch (error) {
      this.error = errorInfo(error);
      if (this.info) this.info = { ...this.info, state: 'failed' };
    }
  }

  async share(shared: boolean): Promise<void> {
    if (this.info) await this.change(() => api.shareReview(this.info!.id, shared));
  }

  async remove(): Promise<void> {
    if (!this.info) return;
    await this.change(async () => {
      await this.reviews.deleteReview(this.info!.id);
      return null;
    });
    if (!this.info) this.plies = [];
  }

  private async change(request: () => Promise<ReviewInfo | null>): Promise<void> {
    this.error = null;
    try {
      this.info = await request();
    } catch (error) {
      this.error = errorInfo(error);
    }
  }

  /** Show the position after the next mistake, or the previous one; return whether there is one. */
  showMistake(step: 1 | -1): void {
    const { ply } = this;
    const found =
      step > 0
        ? this.mistakes.find((mistake) => mistake + 1 > ply)
        : this.mistakes.findLast((mistake) => mistake + 1 < ply);
    if (found !== undefined) this.show(found + 1);
  }

  /** Show a position of the game. */
  show(ply: number): void {
    this.attempt = null;
    let node = this.tree.root;
    for (let at = 0; at < ply && node.children[0]; at++) node = node.children[0];
    this.tree.go(node);
  }

  /** Let the reader find a better move than the one that was played. */
  tryAgain(): void {
    const ply = this.tree.ply - 1;
    this.show(ply);
    this.attempt = { ply, judging: false, tried: null, shown: false };
  }

  reveal(): void {
    if (this.attempt) this.attempt = { ...this.attempt, shown: true };
  }

  endAttempt(): void {
    if (this.attempt) this.show(this.attempt.ply + 1);
  }

  /** Play a move on the board: an attempt, a step along the game, or a variation. */
  play(move: Move): void {
    if (this.attempt) void this.judge(this.attempt, move);
    else this.tree.play(move);
  }

  private async judge(attempt: Attempt, move: Move): Promise<void> {
    if (!this.info || attempt.judging) return;
    this.error = null;
    this.attempt = { ...attempt, judging: true };
    try {
      const tried = await this.reviews.tryMove(this.info.id, attempt.ply, move.action);
      const solved = tried.verdict === 'best' || tried.verdict === 'good';
      this.attempt = { ...attempt, tried, shown: attempt.shown || solved };
    } catch (error) {
      this.error = errorInfo(error);
      this.attempt = { ...attempt };
    }
  }
}
