/** A table on the server, synchronised over its socket. */

import { t } from '../i18n/index.svelte';
import { loadGame } from '../lib/games';
import { play } from '../lib/sounds';
import { playerName, playerPath } from '../lib/titles';
import { api } from '../net/api';
import { TableSocket, type TableMessage } from '../net/socket';
import type { Analysis, SeatName, TableEvent, TableInfo } from '../net/types';
import type { Move } from '../rules/game';
import type { Seat } from '../rules/definition';
import { errorText } from '../ui/errorText';
import { Talk } from '../talk/talk.svelte';
import { MoveHistory } from './moveHistory.svelte';
import { PlayedGame, type ShownPlayer } from './playedGame.svelte';
import { applyEvent } from './reduce';

export const SEATS: readonly SeatName[] = ['first', 'second'];

export class OnlineGame extends PlayedGame {
  info = $state.raw<TableInfo | null>(null);
  /** The page's time at which the clock of `info` was received. */
  clockAt = $state(0);
  connected = $state(true);
  missing = $state(false);
  /** A move that was sent and is not yet among the server's moves. */
  private pending = $state.raw<{ id: string; ply: number } | null>(null);
  readonly talk: Talk;
  private readonly socket: TableSocket;
  private queue: Promise<void> = Promise.resolve();

  constructor(readonly id: string) {
    super();
    this.socket = new TableSocket(id, {
      // Handle messages one after another: the first one fetches the game.
      message: (message) =>
        (this.queue = this.queue
          .then(() => this.receive(message))
          .catch((error: unknown) => this.failed(error))),
      connected: (yes) => (this.connected = yes),
      onNotFound: () => (this.missing = true),
    });
    this.talk = new Talk(id, (phrase) => this.socket.send({ type: 'say', phrase }));
  }

  close(): void {
    this.talk.close();
    this.socket.close();
  }

  get text(): string {
    return this.info?.edition ?? this.info?.game ?? '';
  }

  get seated(): boolean {
    return this.you !== null;
  }

  get over(): boolean {
    return this.info?.status !== 'playing';
  }

  get notice(): string {
    if (!this.connected) return t('game.reconnecting');
    return this.refusal ? errorText(this.refusal) : '';
  }

  shownPlayer(seat: Seat): ShownPlayer {
    const info = this.info!;
    const name = SEATS[seat];
    const player = info.seats[name];
    const live = this.history?.live ?? false;
    const playing = info.status === 'playing';
    const isElsewhere = player?.account_type === 'person' && this.you !== seat;
    return {
      name: playerName(player, this.you === seat),
      page: playerPath(player),
      turn: playing && live && info.turn === name,
      present: playing && isElsewhere ? info.presence[name] : null,
      thinking: info.thinking && player?.account_type === 'computer',
      winner: live && info.result?.winner === name,
      total: info.match?.game_no === 2 ? info.match.totals[name] : null,
      away: playing ? (info.clock?.[name].away_until ?? null) : null,
      phrase: this.talk.shown(name, info.your_seat),
    };
  }

  get you(): Seat | null {
    const seat = this.info?.your_seat;
    return seat ? (SEATS.indexOf(seat) as Seat) : null;
  }

  /** Whether the other seat is a person, with whom one can talk. */
  get talking(): boolean {
    if (!this.info || this.you === null) return false;
    const other = this.info.seats[SEATS[1 - this.you]];
    return other !== null && other.account_type !== 'computer';
  }

  get level(): number {
    const { first, second } = this.info?.seats ?? { first: null, second: null };
    return first?.level ?? second?.level ?? 0;
  }

  get yourTurn(): boolean {
    const { info, history } = this;
    if (!info || !history || info.status !== 'playing' || this.you === null || this.pending) return false;
    return this.connected && info.turn === info.your_seat && !history.latest.isOver;
  }

  get mayPremove(): boolean {
    const { info, history } = this;
    if (!info || !history || info.status !== 'playing' || this.you === null) return false;
    return this.connected && !this.yourTurn && !history.latest.isOver;
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

  protected override findHint(): Promise<Analysis> {
    return super.findHint(() => api.hint(this.id));
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
      case 'phrase':
        this.talk.receive(message, this.info?.your_seat ?? null);
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
    if (this.talking) void this.talk.load();
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
