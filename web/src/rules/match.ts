/** Matches: two games with the colours exchanged, scores added. */

import type { Scores } from './state';

export type MatchRule = 'nestorgames' | 'blue-panther';

/** Totals by player: player 0 sits FIRST in game one and SECOND in game two. */
export function matchTotals(games: readonly Scores[]): [number, number] {
  const totals: [number, number] = [0, 0];
  games.forEach((scores, number) => {
    totals[0] += scores[number % 2];
    totals[1] += scores[1 - (number % 2)];
  });
  return totals;
}

/** The winner of a finished match; null for a draw. */
export function matchWinner(rule: MatchRule, totals: readonly [number, number]): 0 | 1 | null {
  if (totals[0] !== totals[1]) return totals[0] > totals[1] ? 0 : 1;
  return rule === 'blue-panther' ? 0 : null;
}
