/** A review of a finished game: the engine's evaluation per ply, and the reader's variations. */

import { loadGame } from '../lib/games';
import { playerName } from '../lib/titles';
import { api, errorInfo } from '../net/api';
import type { Analysis, BySeat, ErrorInfo, Mark, ReviewInfo } from '../net/types';
import { MoveHistory } from '../play/moveHistory.svelte';
import type { Move } from '../rules/game';
import { forFirstSeat, type PlyEvaluation } from './evaluation';

export type Source = { table: string } | { record: string };

const POLL_MS = 500;

export class Review {
  state = $state<ReviewInfo['state'] | null>(null);
  done = $state(0);
  total = $state(0);
  plies = $state.raw<readonly PlyEvaluation[]>([]);
  error = $state.raw<ErrorInfo | null>(null);
  /** The reader's variation; null while the game itself is shown. */
  variation = $state.raw<MoveHistory | null>(null);
  analysis = $state.raw<{ key: string; result: Analysis } | null>(null);
  analysing = $state(false);
  private id: string | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(
    readonly source: Source,
    readonly game: MoveHistory,
    readonly names: BySeat<string | null>,
    readonly base: string,
  ) {}

  static async open(source: Source): Promise<Review> {
    if ('table' in source) {
      const table = await api.table(source.table);
      const history = new MoveHistory(
        await loadGame(table.game),
        table.moves.map((move) => move.action),
      );
      const name = (seat: 'first' | 'second') => playerName(table.seats[seat]);
      return new Review(
        source,
        history,
        { first: name('first'), second: name('second') },
        `/api/tables/${table.id}`,
      );
    }
    const record = await api.record(source.record);
    const history = new MoveHistory(
      await loadGame(record.game),
      record.moves.map((move) => move.action),
    );
    return new Review(source, history, record.names, `/api/records/${record.id}`);
  }

  /** The moves on the board: the variation or the game. */
  get history(): MoveHistory {
    return this.variation ?? this.game;
  }

  get marks(): Record<number, Mark | null | undefined> {
    return Object.fromEntries(this.plies.map((ply) => [ply.ply, ply.mark]));
  }

  /** The evaluation of the shown position; null in a variation or before the engine reached it. */
  get evaluation(): PlyEvaluation | null {
    return this.variation ? null : (this.plies[this.game.ply] ?? null);
  }

  get running(): boolean {
    return this.state === 'queued' || this.state === 'running';
  }

  async start(depth: string): Promise<void> {
    this.error = null;
    this.plies = [];
    this.done = 0;
    try {
      const review = await api.startReview(this.source, depth);
      this.id = review.id;
      this.take(review);
    } catch (error) {
      this.failed(error);
    }
  }

  async cancel(): Promise<void> {
    clearTimeout(this.timer);
    if (!this.id || !this.running) return;
    this.state = 'cancelled';
    await api.cancelReview(this.id).catch(() => undefined);
  }

  private take(review: ReviewInfo): void {
    this.state = review.state;
    this.done = review.done;
    this.total = review.total;
    if (review.plies.length) {
      const known = this.plies.slice(0, review.plies[0].analysis.ply);
      this.plies = [...known, ...review.plies.map(forFirstSeat)];
    }
    if (review.state === 'failed') this.error = { code: 'review-failed', message: review.error ?? '' };
    if (this.running) this.timer = setTimeout(() => void this.ask(), POLL_MS);
  }

  private async ask(): Promise<void> {
    if (!this.id || !this.running) return;
    try {
      this.take(await api.review(this.id, this.plies.length));
    } catch (error) {
      this.failed(error);
      this.state = 'failed';
    }
  }

  private failed(error: unknown): void {
    this.error = errorInfo(error);
  }

  /** Play a move in the shown position: step along the game if it is the game's move, else start a variation. */
  play(move: Move): void {
    const { history } = this;
    if (history.moves[history.ply]?.action === move.action) {
      history.show(history.ply + 1);
      return;
    }
    const actions = history.moves.slice(0, history.ply).map((played) => played.action);
    this.variation = new MoveHistory(history.game, [...actions, move.action]);
  }

  leaveVariation(): void {
    const same = this.branch;
    this.variation = null;
    this.game.show(same);
  }

  /** Plies that the variation shares with the game. */
  get branch(): number {
    const other = this.variation?.moves ?? [];
    let same = 0;
    while (same < other.length && this.game.moves[same]?.action === other[same].action) same += 1;
    return same;
  }

  private get key(): string {
    return this.history.moves
      .slice(0, this.history.ply)
      .map((move) => move.action)
      .join();
  }

  /** The engine's lines for the shown position, if they were requested. */
  get lines(): Analysis | null {
    return this.analysis?.key === this.key ? this.analysis.result : null;
  }

  async analyse(): Promise<void> {
    const { key, history } = this;
    this.analysing = true;
    this.error = null;
    try {
      const actions = history.moves.slice(0, history.ply).map((move) => move.action);
      this.analysis = { key, result: await api.analyse(history.game.name, actions, 2, 3) };
    } catch (error) {
      this.failed(error);
    } finally {
      this.analysing = false;
    }
  }
}
