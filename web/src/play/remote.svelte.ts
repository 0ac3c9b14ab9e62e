/** A table on the server, kept up to date over its socket. */

import { gameOf } from '../lib/games';
import { play } from '../lib/sounds';
import { api, ApiError } from '../net/api';
import { TableSocket, type Incoming, type TableEvent } from '../net/socket';
import type { Analysis, ErrorInfo, SeatName, TableInfo } from '../net/types';
import type { Move } from '../rules/game';
import type { Seat } from '../rules/value';
import { Line } from './line.svelte';
import { afterEvent } from './reduce';

export const SEATS: readonly SeatName[] = ['first', 'second'];

export class RemoteTable {
  info = $state.raw<TableInfo | null>(null);
  line = $state.raw<Line | null>(null);
  /** When the clock of `info` was read, on this page's own clock. */
  clockAt = $state(0);
  connected = $state(true);
  missing = $state(false);
  error = $state.raw<ErrorInfo | null>(null);
  hint = $state.raw<Analysis | null>(null);
  hinting = $state(false);
  /** A move that was sent and has not come back yet. */
  private pending = $state.raw<{ id: string; ply: number } | null>(null);
  private readonly socket: TableSocket;
  private queue: Promise<void> = Promise.resolve();

  constructor(readonly id: string) {
    this.socket = new TableSocket(id, {
      // Messages wait for each other: the first one fetches the game.
      message: (message) => (this.queue = this.queue.then(() => this.receive(message)).catch((error: unknown) => this.failed(error))),
      connected: (yes) => (this.connected = yes),
      gone: () => (this.missing = true),
    });
  }

  close(): void {
    this.socket.close();
  }

  get you(): Seat | null {
    const seat = this.info?.you;
    return seat ? (SEATS.indexOf(seat) as Seat) : null;
  }

  /** Whether this player is to move in the newest position. */
  get yourTurn(): boolean {
    const { info, line } = this;
    if (!info || !line || info.status !== 'playing' || this.you === null || this.pending) return false;
    return info.turn === info.you && !line.latest.over;
  }

  play(move: Move): void {
    const { line } = this;
    if (!line || !this.yourTurn) return;
    const ply = line.moves.length;
    this.hint = null;
    this.error = null;
    line.add(move);
    play('place');
    this.pending = { id: this.socket.send({ type: 'move', ply, move: move.number }), ply };
  }

  send(type: 'resign' | 'abort' | 'takeback' | 'rematch'): void {
    this.hint = null;
    this.socket.send({ type });
  }

  answerTakeback(accept: boolean): void {
    this.socket.send({ type: 'takeback-answer', accept });
  }

  setLevel(level: number): void {
    this.socket.send({ type: 'level', level });
  }

  async askHint(): Promise<void> {
    this.hinting = true;
    this.error = null;
    try {
      const hint = await api.hint(this.id);
      if (hint.ply === this.line?.moves.length) this.hint = hint;
    } catch (error) {
      this.failed(error);
    } finally {
      this.hinting = false;
    }
  }

  private failed(error: unknown): void {
    this.error = error instanceof ApiError ? error.error : { code: 'unavailable', text: String(error) };
  }

  private async receive(message: Incoming): Promise<void> {
    switch (message.type) {
      case 'snapshot':
        await this.take(message.table);
        break;
      case 'event':
        if (this.info) await this.happened(message);
        break;
      case 'presence':
        if (this.info) this.info = { ...this.info, presence: { first: message.first, second: message.second, watchers: message.watchers } };
        break;
      case 'thinking':
        if (this.info) this.info = { ...this.info, thinking: message.on };
        break;
      case 'ack':
        // The event of the move, before or after, is what counts.
        break;
      case 'error':
        this.error = message.error;
        if (message.id === this.pending?.id) {
          this.pending = null;
          this.syncLine();
        }
        break;
    }
  }

  private async take(table: TableInfo): Promise<void> {
    this.line ??= new Line(await gameOf(table.game));
    this.info = table;
    this.clockAt = performance.now();
    this.syncLine();
  }

  private async happened(event: TableEvent): Promise<void> {
    const before = this.info as TableInfo;
    this.info = afterEvent(before, event);
    if (event.clock) this.clockAt = performance.now();
    if (event.kind === 'takeback') this.hint = null;
    this.syncLine();
    if (event.kind === 'move' && event.data.seat !== before.you) play('place');
    else if (event.kind === 'end') play('end');
    else if (event.kind === 'join' || event.kind.endsWith('-offer')) play('notify');
  }

  /** Show the moves that the server has, and the one on its way to it. */
  private syncLine(): void {
    const { line, info } = this;
    if (!line || !info) return;
    const numbers = info.moves.map((move) => move.number);
    if (this.pending && numbers.length > this.pending.ply) this.pending = null;
    const sent = this.pending;
    if (sent && numbers.length === sent.ply && line.moves.length > sent.ply) numbers.push(line.moves[sent.ply].number);
    line.set(numbers);
    if (this.hint && this.hint.ply !== line.moves.length) this.hint = null;
  }
}
