/** A game that is being played, wherever it is kept: what the play screen and the coach need of it. */

import { play as sound } from '../lib/sounds';
import { errorInfo } from '../net/api';
import type { Analysis, ErrorInfo } from '../net/types';
import type { Seat } from '../rules/definition';
import type { Move } from '../rules/game';
import type { Placement } from '../rules/layout';
import type { IllegalReason } from '../rules/reasons';
import { analyse } from '../think/think';
import type { MoveHistory } from './moveHistory.svelte';

/** One side, as the strip beside the board shows it. */
export interface ShownPlayer {
  name: string;
  /** The player's page; null if there is none. */
  page: string | null;
  /** Whether this side is to move in the position shown. */
  turn: boolean;
  /** Whether the player is connected; null if not applicable. */
  present: boolean | null;
  thinking: boolean;
  winner: boolean;
  /** Points of the match; null outside its second game. */
  total: number | null;
  /** Until when the player is on vacation. */
  away?: number | null;
  /** What the player has just said. */
  phrase?: string;
}

const HINT_SECONDS = 1;
const HINT_LINES = 3;

export abstract class PlayedGame {
  history = $state.raw<MoveHistory | null>(null);
  error = $state.raw<ErrorInfo | null>(null);
  hint = $state.raw<Analysis | null>(null);
  hinting = $state(false);
  /** Why the last move was refused; the piece is back in the hand. */
  refusal = $state.raw<ErrorInfo | null>(null);
  /** The move to make as soon as it is this player's turn. */
  premove = $state.raw<Placement | null>(null);

  /** The game's text, or the name of its edition. */
  abstract get text(): string;
  /** The seat of the player at this device; null for a spectator, or if both sides are played here. */
  abstract get you(): Seat | null;
  /** Whether whoever is at this device plays. */
  abstract get seated(): boolean;
  /** The computer's level; 0 without a computer. */
  abstract get level(): number;
  /** Whether a move may be made at this device, in the latest position. */
  abstract get yourTurn(): boolean;
  /** Whether a move may be prepared: the other side is to move. */
  abstract get mayPremove(): boolean;
  /** Whether the game has not started or has ended, whatever the position. */
  abstract get over(): boolean;
  /** A message for the line under the board, such as a lost connection. */
  abstract get notice(): string;
  abstract shownPlayer(seat: Seat): ShownPlayer;
  abstract play(move: Move): void;
  abstract close(): void;

  setPremove(move: Placement | null): void {
    this.refusal = null;
    this.premove = move;
    if (move) sound('turn');
  }

  /** Make the prepared move; if it has become illegal, it goes back to the hand with the reason. */
  protected playPremove(): void {
    const move = this.premove;
    if (!move || !this.yourTurn) return;
    this.premove = null;
    const reason = this.history!.latest.illegalReason(move);
    if (reason) this.refusal = refused(reason);
    else this.play(move);
  }

  async askHint(): Promise<void> {
    this.hinting = true;
    this.error = null;
    try {
      const hint = await this.findHint();
      if (hint.ply === this.history?.moves.length) this.hint = hint;
    } catch (error) {
      this.failed(error);
    } finally {
      this.hinting = false;
    }
  }

  /** Find a hint; `server` asks for one of this game if the page cannot think. */
  protected findHint(server?: () => Promise<Analysis>): Promise<Analysis> {
    const { latest, moves } = this.history!;
    const actions = moves.map((move) => move.action);
    return analyse({ state: latest, moves: actions }, { seconds: HINT_SECONDS, lines: HINT_LINES, server });
  }

  protected failed(error: unknown): void {
    this.error = errorInfo(error);
  }
}

/** An illegal move as an error of the server. */
function refused({ code, text = code, cells, kind }: IllegalReason): ErrorInfo {
  return { code: 'illegal-move', message: text, reason: { code, cells: [...cells], kind } };
}
