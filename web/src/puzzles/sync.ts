/** The puzzles of an account: what this browser knows is reported, and what another one knew is taken over. */

import { HAS_SERVER } from '../lib/build';
import { whoAmI } from '../net/api';
import { people, type PuzzleStanding } from '../net/people';
import { progress } from './progress.svelte';

/** Report and take over; null without an account or a server. */
export async function syncPuzzles(): Promise<PuzzleStanding | null> {
  if (!HAS_SERVER || !(await whoAmI()).account) return null;
  const { rating, streak, lastDay } = progress.value;
  const { tries } = progress;
  const standing = tries
    ? await people.reportPuzzles({ rating, tries, streak, last_day: lastDay })
    : await people.puzzles();
  progress.adopt(standing);
  return standing;
}
