/** What the solver's values mean: 3 × the first seat's lead in half points, plus 1, 0 or −1 for win, draw, loss. */

import type { Seat } from '../rules/definition';
import type { CoreSolution } from './core';
import type { Solution } from './types';

/** Values of at least this magnitude stand for an unknown bound. */
const UNBOUNDED = 2 ** 60;

/** The result of the solver as the page reads it. */
export function solutionOf(found: CoreSolution, winnerOnly: boolean): Solution {
  const { solved, lower, upper, best, pv, nodes, seconds } = found;
  const winner: Seat | null = lower > 0 ? 0 : upper < 0 ? 1 : null;
  const margin = solved && !winnerOnly ? marginOf(lower) : null;
  return { solved, winner, margin, best, pv, nodes, seconds };
}

function marginOf(value: number): number | null {
  if (Math.abs(value) >= UNBOUNDED) return null;
  const halfPoints = value >= 0 ? Math.floor((value + 1) / 3) : -Math.floor((1 - value) / 3);
  return halfPoints / 2 + 0; // never -0
}
