/** Mouse, pen and touch control of the board. */

import type { PieceCursor } from './pieceCursor.svelte';
import { Twist } from './twist';

export interface PointerContext {
  cursor(): PieceCursor;
  active(): boolean;
  /** Place the held piece; `sure` skips the confirmation. */
  place(options?: { sure?: boolean }): void;
  /** The cell under a point of the window, or -1. */
  cellAt(x: number, y: number): number;
  /** Cancel the premove if it covers a cell; return whether it did. */
  cancels(cell: number): boolean;
  /** Report a press on a covered cell where a pair should begin. */
  taken(cell: number): void;
}

const WHEEL_STEP = 40;

export class PointerController {
  /** The pointer that holds the piece, or null. */
  private pointer: number | null = null;
  /** The cell where the press started. */
  private from = -1;
  /** Whether the press started on a fixed ghost: releasing it there places the piece. */
  private onReady = false;
  private slid = false;
  private wheeled = 0;
  private readonly twist = new Twist();

  constructor(private readonly context: PointerContext) {}

  down(event: PointerEvent): void {
    if (event.button !== 0) return;
    const cursor = this.context.cursor();
    if (this.pointer !== null && event.pointerType === 'touch') {
      this.twist.start(event);
      return;
    }
    cursor.byKeyboard = false;
    const cell = this.cell(event);
    this.pointer = event.pointerId;
    this.twist.hold(event);
    this.slid = false;
    this.from = cell;
    this.onReady = false;
    if (cell < 0 || !this.context.active()) {
      cursor.cell = cell;
      return;
    }
    if (this.context.cancels(cell)) {
      this.pointer = null;
      return;
    }
    // The tapped cell may lie beside the piece, if that was moved back onto the board.
    if (cursor.fixed && (cursor.cell === cell || cursor.ghost?.cells.includes(cell))) {
      this.onReady = true;
      return;
    }
    if (cursor.pair) this.downPair(cursor, cell);
    else {
      cursor.fixed = false;
      cursor.cell = cell;
    }
  }

  private downPair(cursor: PieceCursor, cell: number): void {
    const before = cursor.firstCell;
    cursor.fixed = false;
    if (before === cell) return;
    if (before >= 0 && cursor.pointAt(cell)) return;
    if (cursor.state.layer.covered[cell]) {
      cursor.drop();
      cursor.cell = cell;
      this.context.taken(cell);
      return;
    }
    cursor.setFirstCell(cell);
    // A new press: releasing it on the same square must not turn the piece.
    this.slid = true;
  }

  move(event: PointerEvent): void {
    const cursor = this.context.cursor();
    if (this.twist.active) {
      const turns = this.twist.move(event);
      if (turns && this.context.active()) cursor.turn(turns);
      return;
    }
    if (this.pointer !== null && event.pointerId !== this.pointer) return;
    const cell = this.cell(event);
    if (cursor.byKeyboard && event.movementX === 0 && event.movementY === 0) return;
    cursor.byKeyboard = false;
    if (cursor.fixed && this.pointer === null) return;
    if (!this.context.active()) {
      cursor.cell = cell;
      return;
    }
    if (this.pointer !== null) {
      this.twist.hold(event);
      if (cell !== this.from) {
        this.slid = true;
        this.onReady = false;
        cursor.fixed = false;
      }
    }
    if (cursor.pair && cursor.firstCell >= 0) cursor.pointAt(cell);
    else cursor.cell = cell;
  }

  up(event: PointerEvent): void {
    const cursor = this.context.cursor();
    if (this.twist.active) {
      // A tap with a second finger turns the piece too.
      if (this.twist.end(event) && this.context.active()) cursor.turn();
      this.slid = true;
      this.onReady = false;
      if (event.pointerId !== this.pointer) return;
    }
    if (event.pointerId !== this.pointer) return;
    this.pointer = null;
    const cell = this.cell(event);
    if (!this.context.active() || cell < 0) return;
    if (this.onReady) {
      this.context.place({ sure: true });
      return;
    }
    if (cursor.pair) this.upPair(cursor, cell);
    else if (event.pointerType === 'mouse') {
      cursor.cell = cell;
      this.context.place();
    } else {
      // A finger hides the piece: fix the ghost, and let a second tap place it.
      cursor.cell = cell;
      cursor.fixed = true;
    }
  }

  private upPair(cursor: PieceCursor, cell: number): void {
    if (cursor.firstCell < 0) return;
    if (cell === cursor.firstCell) {
      if (this.from === cell && !this.slid) cursor.turn();
      return;
    }
    if (cursor.pointAt(cell)) this.context.place();
  }

  /** Turn the piece over the board by the wheel. */
  wheel(event: WheelEvent): void {
    const cursor = this.context.cursor();
    if (!this.context.active() || !cursor.ghost || event.ctrlKey) return;
    event.preventDefault();
    this.wheeled += event.deltaMode ? event.deltaY * WHEEL_STEP : event.deltaY;
    if (Math.abs(this.wheeled) < WHEEL_STEP) return;
    cursor.turn(Math.sign(this.wheeled));
    this.wheeled = 0;
  }

  cancel(event: PointerEvent): void {
    this.twist.end(event);
    if (event.pointerId === this.pointer) this.pointer = null;
  }

  leave(event: PointerEvent): void {
    const cursor = this.context.cursor();
    if (event.pointerType !== 'mouse') return;
    this.pointer = null;
    if (!cursor.fixed && !cursor.byKeyboard && cursor.firstCell < 0) cursor.cell = -1;
  }

  private cell(event: PointerEvent): number {
    return this.context.cellAt(event.clientX, event.clientY);
  }
}
