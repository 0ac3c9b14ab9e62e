/** Keys that step through the moves of a game. */

import type { ShownLine } from './moveHistory.svelte';

const TARGETS: Record<string, (history: ShownLine) => number> = {
  ArrowLeft: ({ ply }) => ply - 1,
  ArrowRight: ({ ply }) => ply + 1,
  Home: () => 0,
  End: ({ moves }) => moves.length,
};

/** Show the position that a key asks for; return whether it is such a key. */
export function stepKey(key: string, history: ShownLine): boolean {
  const target = TARGETS[key];
  if (!target) return false;
  history.show(Math.max(0, target(history)));
  return true;
}
