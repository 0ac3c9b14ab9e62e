/** Dragging a piece from the tray onto the board. */

/** The board as a drag sees it. */
export interface DropTarget {
  holdAt(x: number, y: number): boolean;
  letGo(touch: boolean): void;
  cellSize(): number;
}

/** Pixels that a pointer moves before a press becomes a drag. */
const SLACK_PX = 8;
/** Cells by which the piece floats above a finger, so that it stays visible. */
const LIFT_CELLS = 1.5;

export class TrayDrag {
  /** Whether the piece is dragged and not over the board. */
  floating = $state(false);
  x = $state(0);
  y = $state(0);
  kindIndex = $state(0);

  constructor(private readonly board: () => DropTarget) {}

  /** Follow a press on a piece of the tray; `choose` takes the piece into the hand. */
  start(event: PointerEvent, choose: () => void, kindIndex: number): void {
    if (event.button !== 0) return;
    const source = event.currentTarget as HTMLElement;
    const { clientX, clientY, pointerId } = event;
    const touch = event.pointerType !== 'mouse';
    const ending = new AbortController();
    const options = { signal: ending.signal };
    let dragging = false;
    // At once: a quick mouse leaves the button before its first move is reported.
    source.setPointerCapture(pointerId);
    const move = (at: PointerEvent) => {
      if (at.pointerId !== pointerId) return;
      if (!dragging) {
        if (Math.hypot(at.clientX - clientX, at.clientY - clientY) < SLACK_PX) return;
        dragging = true;
        this.kindIndex = kindIndex;
        choose();
      }
      this.x = at.clientX;
      this.y = at.clientY - (touch ? LIFT_CELLS * this.board().cellSize() : 0);
      this.floating = !this.board().holdAt(this.x, this.y);
    };
    const end = (at: PointerEvent, dropped: boolean) => {
      if (at.pointerId !== pointerId) return;
      ending.abort();
      this.floating = false;
      if (!dragging) return;
      if (!dropped) this.board().holdAt(-1, -1);
      this.board().letGo(touch);
    };
    source.addEventListener('pointermove', move, options);
    source.addEventListener('pointerup', (at) => end(at, true), options);
    source.addEventListener('pointercancel', (at) => end(at, false), options);
    source.addEventListener('dragstart', (at) => at.preventDefault(), options);
  }
}
