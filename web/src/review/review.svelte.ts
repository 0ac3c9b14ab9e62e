/** A finished game under review: the engine's judgement ply by ply, and variations of one's own. */

import { gameOf } from '../lib/games';
import { playerName } from '../lib/titles';
import { api, ApiError } from '../net/api';
import type { Analysis, BySeat, ErrorInfo, Mark, ReviewInfo, ReviewPly } from '../net/types';
import { Line } from '../play/line.svelte';
import type { Move } from '../rules/game';

export type Source = { table: string } | { record: string };

const ASK_AGAIN_MS = 500;

export class Review {
  state = $state<ReviewInfo['state'] | null>(null);
  done = $state(0);
  of = $state(0);
  plies = $state.raw<readonly ReviewPly[]>([]);
  error = $state.raw<ErrorInfo | null>(null);
  /** Moves of one's own, from some position of the game on; null while the game itself is shown. */
  variation = $state.raw<Line | null>(null);
  analysis = $state.raw<{ key: string; found: Analysis } | null>(null);
  analysing = $state(false);
  private id: string | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(
    readonly source: Source,
    readonly game: Line,
    readonly names: BySeat<string | null>,
    readonly base: string,
  ) {}

  static async open(source: Source): Promise<Review> {
    if ('table' in source) {
      const table = await api.table(source.table);
      const line = new Line(await gameOf(table.game), table.moves.map((move) => move.number));
      const name = (seat: 'first' | 'second') => playerName(table.seats[seat]);
      return new Review(source, line, { first: name('first'), second: name('second') }, `/api/tables/${table.id}`);
    }
    const record = await api.record(source.record);
    const line = new Line(await gameOf(record.game), record.moves.map((move) => move.number));
    return new Review(source, line, record.names, `/api/records/${record.id}`);
  }

  /** What the board shows: the game, or the variation. */
  get line(): Line {
    return this.variation ?? this.game;
  }

  get marks(): Record<number, Mark | null | undefined> {
    return Object.fromEntries(this.plies.map((ply) => [ply.ply, ply.mark]));
  }

  /** The judgement of the position shown, where it is one of the game's. */
  get here(): ReviewPly | null {
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
    this.of = review.of;
    if (review.plies.length) {
      const known = this.plies.slice(0, review.plies[0].ply);
      this.plies = [...known, ...review.plies];
    }
    if (review.state === 'failed') this.error = { code: 'review-failed', text: review.error ?? '' };
    if (this.running) this.timer = setTimeout(() => void this.ask(), ASK_AGAIN_MS);
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
    this.error = error instanceof ApiError ? error.error : { code: 'unavailable', text: String(error) };
  }

  /** Play a move in the position shown: along the game where it is the game's, else as a variation. */
  play(move: Move): void {
    const { line } = this;
    if (line.moves[line.ply]?.number === move.number) {
      line.show(line.ply + 1);
      return;
    }
    const numbers = line.moves.slice(0, line.ply).map((played) => played.number);
    this.variation = new Line(line.game, [...numbers, move.number]);
  }

  leaveVariation(): void {
    const same = this.branch;
    this.variation = null;
    this.game.show(same);
  }

  /** How many plies the variation shares with the game. */
  get branch(): number {
    const other = this.variation?.moves ?? [];
    let same = 0;
    while (same < other.length && this.game.moves[same]?.number === other[same].number) same += 1;
    return same;
  }

  private get key(): string {
    return this.line.moves.slice(0, this.line.ply).map((move) => move.number).join();
  }

  /** The engine's lines for the position shown, where they were asked for. */
  get lines(): Analysis | null {
    return this.analysis?.key === this.key ? this.analysis.found : null;
  }

  async analyse(): Promise<void> {
    const { key, line } = this;
    this.analysing = true;
    this.error = null;
    try {
      const numbers = line.moves.slice(0, line.ply).map((move) => move.number);
      this.analysis = { key, found: await api.analyse(line.game.name, numbers, 2, 3) };
    } catch (error) {
      this.failed(error);
    } finally {
      this.analysing = false;
    }
  }
}
