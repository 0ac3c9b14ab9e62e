/** Two fingers on the board: turning one around the other turns the piece. */

interface Finger {
  pointerId: number;
  clientX: number;
  clientY: number;
}

/** Radians of turning per quarter turn of the piece: less than a quarter, because wrists are stiff. */
const STEP = Math.PI / 5;

export class Twist {
  private first: Finger | null = null;
  private second: Finger | null = null;
  private angle = 0;
  private turned = false;

  get active(): boolean {
    return this.second !== null;
  }

  /** Remember where the finger is that holds the piece. */
  hold({ pointerId, clientX, clientY }: Finger): void {
    if (!this.active) this.first = { pointerId, clientX, clientY };
  }

  /** Start with a second finger. */
  start({ pointerId, clientX, clientY }: Finger): void {
    this.second = { pointerId, clientX, clientY };
    this.angle = this.direction();
    this.turned = false;
  }

  /** Follow a finger; return 1 for a quarter turn clockwise, -1 for one anticlockwise, else 0. */
  move({ pointerId, clientX, clientY }: Finger): number {
    const finger = [this.first, this.second].find((one) => one?.pointerId === pointerId);
    if (!finger) return 0;
    finger.clientX = clientX;
    finger.clientY = clientY;
    let by = this.direction() - this.angle;
    if (by > Math.PI) by -= 2 * Math.PI;
    if (by < -Math.PI) by += 2 * Math.PI;
    if (Math.abs(by) < STEP) return 0;
    this.angle = this.direction();
    this.turned = true;
    return Math.sign(by);
  }

  /** Lift a finger; return whether the second one only tapped. */
  end({ pointerId }: Finger): boolean {
    const tapped = this.second?.pointerId === pointerId && !this.turned;
    if (pointerId === this.second?.pointerId || pointerId === this.first?.pointerId) this.second = null;
    return tapped;
  }

  private direction(): number {
    const [a, b] = [this.first!, this.second!];
    return Math.atan2(b.clientY - a.clientY, b.clientX - a.clientX);
  }
}
