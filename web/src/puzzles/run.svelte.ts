/** A try at a puzzle: judges moves, answers with the best defence, and shows the solution. */

import { MoveHistory } from '../play/moveHistory.svelte';
import { play } from '../lib/sounds';
import type { Game, Move } from '../rules/game';
import { readMove } from '../rules/notation';
import type { State } from '../rules/state';
import type { Puzzle } from './data';
import { positionOf } from './position';

/** `find`: no move yet; `right`: go on; `wrong`: another move is right; `solved` and `shown`: the end. */
export type Status = 'find' | 'right' | 'wrong' | 'solved' | 'shown';

const ANSWER_MS = 500;

/** The line of a puzzle: it begins at the puzzle's position. */
class PuzzleLine extends MoveHistory {
  constructor(game: Game, start: State) {
    super(game);
    this.states = [start];
  }
}

export class PuzzleRun {
  readonly history: MoveHistory;
  status = $state<Status>('find');
  /** The last wrong move. */
  wrong = $state.raw<Move | null>(null);
  hinted = $state(false);
  /** Whether the defence is about to answer. */
  waiting = $state(false);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private mistakes = 0;

  constructor(
    game: Game,
    readonly puzzle: Puzzle,
    private readonly onend: (solved: boolean) => void,
  ) {
    this.history = new PuzzleLine(game, positionOf(game, puzzle.position));
  }

  get isOver(): boolean {
    return this.status === 'solved' || this.status === 'shown';
  }

  /** Whether a move is to be found now. */
  get active(): boolean {
    return !this.isOver && !this.waiting;
  }

  /** The move to be found; null at the end. */
  get next(): Move | null {
    const text = this.puzzle.solution[this.history.moves.length];
    return text === undefined ? null : readMove(this.history.latest, text);
  }

  try(move: Move): void {
    if (!this.active) return;
    if (move.action !== this.next?.action) {
      this.mistakes += 1;
      this.wrong = move;
      this.status = 'wrong';
      this.failed();
      return;
    }
    this.wrong = null;
    this.hinted = false;
    this.add(move);
    if (this.next) {
      this.status = 'right';
      this.answer();
    } else {
      this.status = 'solved';
      play('notify');
      if (!this.mistakes) this.onend(true);
    }
  }

  hint(): void {
    this.hinted = true;
    this.mistakes += 1;
    this.failed();
  }

  /** Play the solution to its end. */
  show(): void {
    this.close();
    this.mistakes += 1;
    this.failed();
    for (let move = this.next; move; move = this.next) this.add(move);
    this.status = 'shown';
    this.wrong = null;
    this.waiting = false;
  }

  /** Play best play to the end of the game, too. */
  showRest(): void {
    for (const text of this.puzzle.rest) {
      const move = readMove(this.history.latest, text);
      if (move && !this.history.latest.isOver) this.add(move);
    }
  }

  again(): void {
    this.close();
    this.history.truncate(0);
    this.history.show(0);
    this.status = 'find';
    this.wrong = null;
    this.waiting = false;
    this.hinted = false;
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private failed(): void {
    if (this.mistakes === 1) this.onend(false);
  }

  private answer(): void {
    this.waiting = true;
    this.timer = setTimeout(() => {
      const move = this.next;
      if (move) this.add(move);
      this.waiting = false;
    }, ANSWER_MS);
  }

  private add(move: Move): void {
    this.history.add(move);
    play('place');
  }
}
