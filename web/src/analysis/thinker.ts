/** The continuous evaluation of a position: searches of growing length, by whoever thinks for this page. */

import { ApiError, errorInfo } from '../net/api';
import type { Analysis, ErrorInfo } from '../net/types';
import { analyse, type Position } from '../think/think';

/** Seconds of the searches, one after the other. */
const SLICES_S = [0.3, 1, 2.5];
const BUSY_MS = 400;
/** Refusals of the server after which a later attempt succeeds, such as a search in another window. */
const BUSY = ['search-running', 'engines-busy', 'too-many-requests'];

/** The request that is going on: the server searches once per visitor, and does not stop when the page moves on. */
let running: Promise<unknown> = Promise.resolve();

/** Report better and better analyses until the signal aborts or there is no more to find. */
export async function think(
  position: Position,
  lines: number,
  report: (analysis: Analysis) => void,
  signal: AbortSignal,
): Promise<ErrorInfo | null> {
  try {
    for (const seconds of SLICES_S) {
      const analysis = await patient(() => analyse(position, { seconds, lines, signal }), signal);
      if (!analysis || signal.aborted) return null;
      report(analysis);
      if (analysis.exact) return null;
    }
    return null;
  } catch (error) {
    return signal.aborted ? null : errorInfo(error);
  }
}

/** Make a request after the one before, and again while the engines are busy. */
async function patient<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T | null> {
  while (!signal.aborted) {
    await running.catch(() => undefined);
    if (signal.aborted) return null;
    try {
      const asked = request();
      running = asked;
      return await asked;
    } catch (error) {
      if (!(error instanceof ApiError && BUSY.includes(error.error.code))) throw error;
      await new Promise((resolve) => setTimeout(resolve, BUSY_MS));
    }
  }
  return null;
}
