/** Mouse, pen and touch control of the board. */

import type { PieceCursor } from './pieceCursor.svelte';

export interface PointerContext {
  cursor(): PieceCursor;
  active(): boolean;
  /** Place the held piece; `sure` skips the confirmation. */
  place(options?: { sure?: boolean }): void;
  /** The cell under a point of the window, or -1. */
  cellAt(x: number, y: number): number;
}

export class PointerController {
  private pressed = false;
  /** The cell where the press started. */
  private from = -1;
  /** Whether the press started on a fixed ghost: releasing it there places the piece. */
  private onReady = false;
  private slid = false;

  constructor(private readonly context: PointerContext) {}

  down(event: PointerEvent): void {
    if (event.button !== 0) return;
    const cursor = this.context.cursor();
    cursor.byKeyboard = false;
    const cell = this.cell(event);
    this.pressed = true;
    this.slid = false;
    this.from = cell;
    this.onReady = false;
    if (cell < 0 || !this.context.active()) {
      cursor.cell = cell;
      return;
    }
    if (cursor.fixed && cursor.ghost?.cells.includes(cell)) {
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
      return;
    }
    cursor.setFirstCell(cell);
    // A new press: releasing it on the same square must not turn the piece.
    this.slid = true;
  }

  move(event: PointerEvent): void {
    const cursor = this.context.cursor();
    const cell = this.cell(event);
    if (cursor.byKeyboard && event.movementX === 0 && event.movementY === 0) return;
    cursor.byKeyboard = false;
    if (cursor.fixed && !this.pressed) return;
    if (!this.context.active()) {
      cursor.cell = cell;
      return;
    }
    if (this.pressed && cell !== this.from) {
      this.slid = true;
      this.onReady = false;
      cursor.fixed = false;
    }
    if (cursor.pair && cursor.firstCell >= 0) cursor.pointAt(cell);
    else cursor.cell = cell;
  }

  up(event: PointerEvent): void {
    if (!this.pressed) return;
    this.pressed = false;
    const cursor = this.context.cursor();
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

  cancel(): void {
    this.pressed = false;
  }

  leave(event: PointerEvent): void {
    const cursor = this.context.cursor();
    if (event.pointerType !== 'mouse') return;
    this.pressed = false;
    if (!cursor.fixed && !cursor.byKeyboard && cursor.firstCell < 0) cursor.cell = -1;
  }

  private cell(event: PointerEvent): number {
    return this.context.cellAt(event.clientX, event.clientY);
  }
}
