/** A game kept in this browser: two people on the same device, or one against the computer. */

import { t } from '../i18n/index.svelte';
import { loadGame } from '../lib/games';
import { reducedMotion } from '../lib/settings.svelte';
import { play as sound } from '../lib/sounds';
import { knownName } from '../local/names';
import { newSavedGame, readGame, writeGame, type SavedGame } from '../local/savedGames';
import type { Seat } from '../rules/definition';
import type { Move } from '../rules/game';
import { matchTotals, matchWinner } from '../rules/match';
import { choose, prepare } from '../think/think';
import { errorText } from '../ui/errorText';
import { MoveHistory } from './moveHistory.svelte';
import { PlayedGame, type ShownPlayer } from './playedGame.svelte';

/** The computer's answer takes at least this time, as on the server, so that the eye can follow. */
const PACE_MS = 300;

export class LocalGame extends PlayedGame {
  resigned = $state<Seat | null>(null);
  thinking = $state(false);
  computer = $state.raw<SavedGame['computer']>(null);
  private answering: AbortController | null = null;

  private constructor(
    private readonly saved: SavedGame,
    history: MoveHistory,
  ) {
    super();
    this.history = history;
    this.resigned = saved.resigned;
    this.computer = saved.computer;
  }

  /** Load a saved game and let the computer go on if it is its turn; null if there is none. */
  static async open(id: string): Promise<LocalGame | null> {
    const saved = await readGame(id);
    if (!saved) return null;
    const history = new MoveHistory(await loadGame(saved.game));
    try {
      history.set(saved.moves);
    } catch {
      // The saved moves belong to another version of the game: start again.
    }
    const game = new LocalGame(saved, history);
    if (game.computer) prepare(history.game, game.level);
    game.answer();
    return game;
  }

  close(): void {
    this.answering?.abort();
  }

  get id(): string {
    return this.saved.id;
  }

  get text(): string {
    return this.saved.game;
  }

  get moves(): MoveHistory {
    return this.history!;
  }

  get you(): Seat | null {
    return this.computer && ((1 - this.computer.seat) as Seat);
  }

  get seated(): boolean {
    return true;
  }

  get level(): number {
    return this.computer?.level ?? 0;
  }

  get over(): boolean {
    return this.resigned !== null || this.moves.latest.isOver;
  }

  get yourTurn(): boolean {
    return !this.over && this.moves.latest.seatToMove !== this.computer?.seat;
  }

  get mayPremove(): boolean {
    return this.computer !== null && !this.over && !this.yourTurn;
  }

  get notice(): string {
    return this.refusal ? errorText(this.refusal) : '';
  }

  get winner(): Seat | null {
    if (this.resigned !== null) return (1 - this.resigned) as Seat;
    return this.moves.latest.outcome()?.winner ?? null;
  }

  get match(): boolean {
    return this.saved.match;
  }

  /** Which game of the match this is, 0 or 1. */
  get gameIndex(): number {
    return this.saved.games.length;
  }

  /** The player, 0 or 1, on a seat of this game. */
  playerOn(seat: Seat): 0 | 1 {
    return (this.match ? seat ^ this.gameIndex : seat) as 0 | 1;
  }

  get totals(): [number, number] {
    return matchTotals([...this.saved.games, this.moves.latest.scores()]);
  }

  /** The player who won the match: null for a draw, undefined while it is in progress. */
  get matchResult(): 0 | 1 | null | undefined {
    if (!this.match || !this.over) return undefined;
    // As online, resigning a game loses the match; otherwise an early end would save points.
    if (this.resigned !== null) return this.playerOn((1 - this.resigned) as Seat);
    if (this.gameIndex === 0) return undefined;
    return matchWinner(this.moves.game.definition.match_rule, this.totals);
  }

  shownPlayer(seat: Seat): ShownPlayer {
    const { live, state } = this.moves;
    return {
      name: this.nameOf(seat),
      page: null,
      turn: !this.over && live && state.seatToMove === seat,
      present: null,
      thinking: this.thinking && this.computer?.seat === seat,
      winner: this.over && live && this.winner === seat,
      total: this.gameIndex ? this.totals[this.playerOn(seat)] : null,
    };
  }

  private nameOf(seat: Seat): string {
    const name = knownName({ ...this.saved, computer: this.computer }, seat);
    return name ?? t('local.player', { number: this.playerOn(seat) + 1 });
  }

  play(move: Move): void {
    if (this.yourTurn) this.add(move);
  }

  private add(move: Move): void {
    this.hint = this.error = this.refusal = null;
    this.moves.add(move);
    sound(this.moves.latest.isOver ? 'end' : 'place');
    this.save();
    this.answer();
    this.playPremove();
  }

  /** Let the computer move, if it is its turn; what it answers after a takeback is dropped. */
  answer(): void {
    this.answering?.abort();
    this.answering = null;
    this.thinking = !this.over && !this.yourTurn;
    if (!this.thinking) return;
    const asked = (this.answering = new AbortController());
    const { latest, moves } = this.moves;
    const position = { state: latest, moves: moves.map((move) => move.action) };
    this.error = null;
    Promise.all([choose(position, this.level, asked.signal), pace()]).then(
      ([action]) => {
        const move = this.moves.game.move(action);
        if (!asked.signal.aborted && move) this.add(move);
      },
      (error: unknown) => {
        if (asked.signal.aborted) return;
        this.thinking = false;
        this.failed(error);
      },
    );
  }

  get canTakeBack(): boolean {
    const { moves, states } = this.moves;
    return moves.some((_, ply) => states[ply].seatToMove !== this.computer?.seat);
  }

  /** Take back the last move made at this device, and the computer's after it. */
  takeBack(): void {
    if (!this.canTakeBack) return;
    const { moves, states } = this.moves;
    let ply = moves.length - 1;
    while (states[ply].seatToMove === this.computer?.seat) ply -= 1;
    this.hint = this.premove = this.refusal = null;
    this.resigned = null;
    this.moves.truncate(ply);
    this.save();
    this.answer();
  }

  resign(): void {
    this.resigned = this.you ?? this.moves.latest.seatToMove;
    this.premove = null;
    this.answering?.abort();
    this.thinking = false;
    sound('end');
    this.save();
  }

  setLevel(level: number): void {
    if (!this.computer) return;
    this.computer = { ...this.computer, level };
    this.save();
  }

  get hasSecondGame(): boolean {
    return this.match && this.gameIndex === 0 && this.resigned === null;
  }

  /** Start the second game of the match, or a new game with the colours exchanged; return its id. */
  async playAgain(): Promise<string> {
    const { game, match, games } = this.saved;
    const computer = this.computer && { ...this.computer, seat: (1 - this.computer.seat) as Seat };
    const before = this.hasSecondGame ? [...games, this.moves.latest.scores()] : [];
    const next = newSavedGame(game, { match, games: before, computer });
    await writeGame(next);
    return next.id;
  }

  private save(): void {
    Object.assign(this.saved, {
      moves: this.moves.moves.map((move) => move.action),
      resigned: this.resigned,
      computer: this.computer,
      scores: this.moves.latest.scores(),
      over: this.over,
      winner: this.over ? this.winner : null,
      review: null,
      updated: Date.now(),
    });
    void writeGame({ ...this.saved });
  }
}

function pace(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, reducedMotion() ? 0 : PACE_MS));
}
