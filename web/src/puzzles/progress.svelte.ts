/** What this browser remembers of the puzzles: the first try at each, the own rating, and the streak of days. */

import { load, save } from '../lib/localStore';

export interface Progress {
  rating: number;
  /** Whether the first try at a puzzle succeeded, by id. */
  tried: Record<string, boolean>;
  /** Puzzles solved in a row. */
  run: number;
  /** Days in a row on which the puzzle of the day was solved, and the last of them. */
  streak: number;
  lastDay: number | null;
  /** Puzzles tried in other browsers of the account. */
  elsewhere?: number;
}

const KEY = 'puzzles';
export const START_RATING = 1200;
const PROVISIONAL = 20;

class PuzzleProgress {
  value = $state.raw<Progress>(
    load<Progress>(KEY, { rating: START_RATING, tried: {}, run: 0, streak: 0, lastDay: null }),
  );

  /** How many puzzles were tried, here and elsewhere. */
  get tries(): number {
    return Object.keys(this.value.tried).length + (this.value.elsewhere ?? 0);
  }

  /** Take over what the account knows from other browsers, if that is more. */
  adopt(known: { rating: number; tries: number; streak: number; last_day: number | null }): void {
    const after = { ...this.value };
    if (known.tries > this.tries) {
      after.rating = known.rating;
      after.elsewhere = known.tries - Object.keys(after.tried).length;
    }
    if ((known.last_day ?? -1) > (after.lastDay ?? -1)) {
      after.streak = known.streak;
      after.lastDay = known.last_day;
    }
    this.value = after;
    save(KEY, after);
  }

  /** Count the first try at a puzzle; return by how much the own rating changes, 0 for a later try. */
  record(id: string, rating: number, solved: boolean, daily: number | null): number {
    const before = this.value;
    const first = !(id in before.tried);
    const after = { ...before };
    if (first) {
      after.rating = newRating(before.rating, rating, solved, this.tries);
      after.tried = { ...before.tried, [id]: solved };
      after.run = solved ? before.run + 1 : 0;
    }
    if (daily !== null && solved) Object.assign(after, streakAfter(before, daily));
    this.value = after;
    save(KEY, after);
    return after.rating - before.rating;
  }

  /** The streak as of a day: it ends if a day was missed. */
  streakOn(day: number): number {
    const { streak, lastDay } = this.value;
    return lastDay !== null && day - lastDay <= 1 ? streak : 0;
  }
}

/** Elo: the own rating after a puzzle; it moves faster in the beginning. */
export function newRating(own: number, puzzle: number, solved: boolean, tries: number): number {
  const expected = 1 / (1 + 10 ** ((puzzle - own) / 400));
  const step = tries < PROVISIONAL ? 60 : 20;
  return Math.round(own + step * (Number(solved) - expected));
}

export function streakAfter(before: Progress, day: number): Pick<Progress, 'streak' | 'lastDay'> {
  if (before.lastDay === day) return { streak: before.streak, lastDay: day };
  const goesOn = before.lastDay === day - 1;
  return { streak: goesOn ? before.streak + 1 : 1, lastDay: day };
}

export const progress = new PuzzleProgress();
