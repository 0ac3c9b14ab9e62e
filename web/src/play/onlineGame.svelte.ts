/** A table on the server, synchronised over its socket. */

import { loadGame } from '../lib/games';
import { play } from '../lib/sounds';
import { api, errorInfo } from '../net/api';
import { TableSocket, type TableMessage } from '../net/socket';
import type { Analysis, ErrorInfo, SeatName, TableEvent, TableInfo } from '../net/types';
import type { Move } from '../rules/game';
import type { Seat } from '../rules/definition';
import type { Placement } from '../rules/layout';
import type { IllegalReason } from '../rules/reasons';
import { MoveHistory } from './moveHistory.svelte';
import { applyEvent } from './reduce';

export const SEATS: readonly SeatName[] = ['first', 'second'];

export class OnlineGame {
  info = $state.raw<TableInfo | null>(null);
  history = $state.raw<MoveHistory | null>(null);
  /** The page's time at which the clock of `info` was received. */
  clockAt = $state(0);
  connected = $state(true);
  missing = $state(false);
  error = $state.raw<ErrorInfo | null>(null);
  hint = $state.raw<Analysis | null>(null);
  hinting = $state(false);
  /** Why the server or the rules refused the last move; the piece is back in the hand. */
  refusal = $state.raw<ErrorInfo | null>(null);
  /** The move to make as soon as it is this player's turn. */
  premove = $state.raw<Placement | null>(null);
  /** A move that was sent and is not yet among the server's moves. */
  private pending = $state.raw<{ id: string; ply: number } | null>(null);
  private readonly socket: TableSocket;
  private queue: Promise<void> = Promise.resolve();

  constructor(readonly id: string) {
    this.socket = new TableSocket(id, {
      // Handle messages one after another: the first one fetches the game.
      message: (message) =>
        (this.queue = this.queue
          .then(() => this.receive(message))
          .catch((error: unknown) => this.failed(error))),
      connected: (yes) => (this.connected = yes),
      onNotFound: () => (this.missing = true),
    });
  }

  close(): void {
    this.socket.close();
  }

  get you(): Seat | null {
    const seat = this.info?.your_seat;
    return seat ? (SEATS.indexOf(seat) as Seat) : null;
  }

  /** The computer's level; 0 without a computer. */
  get level(): number {
    const { first, second } = this.info?.seats ?? { first: null, second: null };
    return first?.level ?? second?.level ?? 0;
  }

  /** Whether this player is to move in the latest position. */
  get yourTurn(): boolean {
    const { info, history } = this;
    if (!info || !history || info.status !== 'playing' || this.you === null || this.pending) return false;
    return info.turn === info.your_seat && !history.latest.isOver;
  }

  /** Whether a move may be prepared: the other side is to move. */
  get mayPremove(): boolean {
    const { info, history } = this;
    if (!info || !history || info.status !== 'playing' || this.you === null) return false;
    return this.connected && !this.yourTurn && !history.latest.isOver;
  }

  setPremove(move: Placement | null): void {
    this.refusal = null;
    this.premove = move;
    if (move) play('turn');
  }

  /** Make the prepared move; if it has become illegal, it goes back to the hand with the reason. */
  private playPremove(): void {
    const move = this.premove;
    if (!move || !this.yourTurn) return;
    this.premove = null;
    const reason = this.history!.latest.illegalReason(move);
    if (reason) this.refusal = refused(reason);
    else this.play(move);
  }

  play(move: Move): void {
    const { history } = this;
    if (!history || !this.yourTurn) return;
    this.refusal = null;
    const ply = history.moves.length;
    this.hint = null;
    this.error = null;
    history.add(move);
    play('place');
    this.pending = { id: this.socket.send({ type: 'move', ply, move: move.action }), ply };
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
      if (hint.ply === this.history?.moves.length) this.hint = hint;
    } catch (error) {
      this.failed(error);
    } finally {
      this.hinting = false;
    }
  }

  private failed(error: unknown): void {
    this.error = errorInfo(error);
  }

  private async receive(message: TableMessage): Promise<void> {
    switch (message.type) {
      case 'snapshot':
        await this.receiveSnapshot(message.table);
        break;
      case 'event':
        if (this.info) this.receiveEvent(this.info, message);
        break;
      case 'presence':
        if (this.info)
          this.info = {
            ...this.info,
            presence: { first: message.first, second: message.second, watchers: message.watchers },
          };
        break;
      case 'thinking':
        if (this.info) this.info = { ...this.info, thinking: message.on };
        break;
      case 'ack':
        // The move's event, sent before or after the acknowledgement, updates the table.
        break;
      case 'error':
        if (message.id && message.id === this.pending?.id) {
          this.refusal = message.error;
          this.pending = null;
          this.syncHistory();
        } else this.error = message.error;
        break;
      default:
        message satisfies never;
    }
  }

  private async receiveSnapshot(table: TableInfo): Promise<void> {
    this.history ??= new MoveHistory(await loadGame(table.game));
    this.info = table;
    this.clockAt = performance.now();
    this.syncHistory();
    this.playPremove();
  }

  private receiveEvent(before: TableInfo, event: TableEvent): void {
    this.info = applyEvent(before, event);
    if (event.clock) this.clockAt = performance.now();
    if (event.event_type === 'takeback') {
      this.hint = null;
      this.premove = null;
    }
    if (event.event_type === 'end') this.premove = null;
    this.syncHistory();
    if (event.event_type === 'move' && event.data.seat !== before.your_seat) play('place');
    else if (event.event_type === 'end') play('end');
    else if (event.event_type === 'join' || event.event_type.endsWith('-offer')) play('notify');
    this.playPremove();
  }

  /** Show the server's moves and the pending one. */
  private syncHistory(): void {
    const { history, info } = this;
    if (!history || !info) return;
    const actions = info.moves.map((move) => move.action);
    if (this.pending && actions.length > this.pending.ply) this.pending = null;
    const sent = this.pending;
    if (sent && actions.length === sent.ply && history.moves.length > sent.ply)
      actions.push(history.moves[sent.ply].action);
    history.set(actions);
    if (this.hint && this.hint.ply !== history.moves.length) this.hint = null;
  }
}

/** An illegal move as an error of the server. */
function refused({ code, text = code, cells, kind }: IllegalReason): ErrorInfo {
  return { code: 'illegal-move', message: text, reason: { code, cells: [...cells], kind } };
}
