/** Mouse, pen and finger on the board. */

import type { Aim } from './aim.svelte';

export interface PointerWorld {
  aim(): Aim;
  active(): boolean;
  /** Place what is held; `sure` skips the question whether that was meant. */
  place(options?: { sure?: boolean }): void;
  /** The cell under a point of the window, or -1. */
  cellAt(x: number, y: number): number;
}

export class PointerHand {
  private pressed = false;
  /** The cell where the press began. */
  private from = -1;
  /** Whether a press began on a piece that lies ready: letting go there places it. */
  private onReady = false;
  private slid = false;

  constructor(private readonly world: PointerWorld) {}

  down(event: PointerEvent): void {
    if (event.button !== 0) return;
    const aim = this.world.aim();
    aim.byKeyboard = false;
    const cell = this.cell(event);
    this.pressed = true;
    this.slid = false;
    this.from = cell;
    this.onReady = false;
    if (cell < 0 || !this.world.active()) {
      aim.cell = cell;
      return;
    }
    if (aim.fixed && aim.ghost?.cells.includes(cell)) {
      this.onReady = true;
      return;
    }
    if (aim.pair) this.downPair(aim, cell);
    else {
      aim.fixed = false;
      aim.cell = cell;
    }
  }

  private downPair(aim: Aim, cell: number): void {
    const wasPinned = aim.pinned;
    aim.fixed = false;
    if (wasPinned === cell) return;
    if (wasPinned >= 0 && aim.pointAt(cell)) return;
    if (aim.state.layer.covered[cell]) {
      aim.drop();
      aim.cell = cell;
      return;
    }
    aim.pin(cell);
    // A fresh press: letting go on the same square must not turn the piece.
    this.slid = true;
  }

  move(event: PointerEvent): void {
    const aim = this.world.aim();
    const cell = this.cell(event);
    if (aim.byKeyboard && event.movementX === 0 && event.movementY === 0) return;
    aim.byKeyboard = false;
    if (aim.fixed && !this.pressed) return;
    if (!this.world.active()) {
      aim.cell = cell;
      return;
    }
    if (this.pressed && cell !== this.from) {
      this.slid = true;
      this.onReady = false;
      aim.fixed = false;
    }
    if (aim.pair && aim.pinned >= 0) aim.pointAt(cell);
    else aim.cell = cell;
  }

  up(event: PointerEvent): void {
    if (!this.pressed) return;
    this.pressed = false;
    const aim = this.world.aim();
    const cell = this.cell(event);
    if (!this.world.active() || cell < 0) return;
    if (this.onReady) {
      this.world.place({ sure: true });
      return;
    }
    if (aim.pair) this.upPair(aim, cell);
    else if (event.pointerType === 'mouse') {
      aim.cell = cell;
      this.world.place();
    } else {
      // A finger hides what it touches: the piece lies ready, and a tap on it places it.
      aim.cell = cell;
      aim.fixed = true;
    }
  }

  private upPair(aim: Aim, cell: number): void {
    if (aim.pinned < 0) return;
    if (cell === aim.pinned) {
      if (this.from === cell && !this.slid) aim.turn();
      return;
    }
    if (aim.pointAt(cell)) this.world.place();
  }

  cancel(): void {
    this.pressed = false;
  }

  leave(event: PointerEvent): void {
    const aim = this.world.aim();
    if (event.pointerType !== 'mouse') return;
    this.pressed = false;
    if (!aim.fixed && !aim.byKeyboard && aim.pinned < 0) aim.cell = -1;
  }

  private cell(event: PointerEvent): number {
    return this.world.cellAt(event.clientX, event.clientY);
  }
}
