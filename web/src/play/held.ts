/** What becomes of the held piece when the shown position changes. */

import type { PieceCursor } from '../board/pieceCursor.svelte';
import type { IllegalReason } from '../rules/reasons';
import type { ShownLine } from './moveHistory.svelte';

interface Seen {
  history: ShownLine;
  ply: number;
}

const seen = new WeakMap<PieceCursor, Seen>();

/** Keep the held piece after a move of the other side; give it back if it no longer fits or another position is shown. */
export function held(
  history: ShownLine,
  cursor: PieceCursor,
  onreturned: (reason: IllegalReason) => void,
): void {
  const before = seen.get(cursor);
  const { ply, live } = history;
  seen.set(cursor, { history, ply });
  if (before?.history === history && before.ply === ply) return;
  if (cursor.byKeyboard) return;
  const waiting = cursor.fixed || cursor.firstCell >= 0;
  if (!waiting) return;
  const next = before?.history === history && before.ply + 1 === ply && live;
  const reason = cursor.ghost?.reason ?? null;
  if (next && !reason) return;
  cursor.drop();
  if (next && reason) onreturned(reason);
}
