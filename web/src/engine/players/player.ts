/** A player in the worker: it chooses a move for a position within a limit. */

import type { Core, Objective } from '../core';
import type { Limit } from '../types';
import type { Place } from '../place';
import type { Choice, Info } from './info';

/** Seconds that the core works before the worker listens for messages again. */
export const SLICE_S = 0.02;
/** Seconds between two reports. */
export const REPORT_S = 0.5;
export const DEFAULT_THINK_S = 1;
/** Seconds of the search that answers if there is no result yet when the request is stopped. */
export const STOPPED_SEARCH_S = 0.03;
/** Seconds kept back from a search for the work around it. */
const OVERHEAD_S = 0.004;

/** One request: whether it was stopped, and whom to tell. */
export interface Turn {
  readonly stopped: boolean;
  /** Let the worker hear messages. */
  pause(): Promise<void>;
  /** Wait for some seconds, or until the request is stopped. */
  wait(seconds: number): Promise<void>;
  report(info: Info): void;
}

export interface Player {
  /** Load what a position needs. */
  prepare(place: Place): Promise<void>;
  choose(place: Place, limit: Limit, objective: Objective | null, turn: Turn): Promise<Choice>;
  /** Drop what was kept of earlier positions. */
  newGame(): void;
  close(): void;
}

/** The objective of a game that is not the second of a match. */
export const GAME_RULE: Objective = { lead: 0, tieWinner: -1 };

export function nowS(): number {
  return performance.now() / 1000;
}

/** The time that is left for one move; null means without a limit. */
export class MoveClock {
  private readonly began = nowS();

  constructor(private readonly seconds: number | null) {}

  remaining(fraction = 1): number | null {
    if (this.seconds === null) return null;
    return fraction * Math.max(0.001, this.seconds - (nowS() - this.began) - OVERHEAD_S);
  }
}

/** Run a search that has started to its end, in slices; `look` sees it after each slice. */
export async function runInSlices(
  core: Core,
  kind: 'search' | 'neural',
  handle: number,
  turn: Turn,
  info: () => Info,
  look: () => void = () => {},
): Promise<void> {
  let next = nowS() + REPORT_S;
  while (!core.step(kind, handle, SLICE_S)) {
    await turn.pause();
    look();
    if (turn.stopped) core.stop(kind, handle);
    if (nowS() >= next) {
      next = nowS() + REPORT_S;
      turn.report(info());
    }
  }
}
