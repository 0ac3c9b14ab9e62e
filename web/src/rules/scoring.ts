/** How groups score: the rules of counting. */

import { cellsInMask, type Board } from './geometry';
import type { ScoringDefinition } from './definition';

/** The groups that count, the largest first; symbols count one by one and make none. */
export function scoringGroupsOf(rule: ScoringDefinition, board: Board, mask: Uint8Array): number[][] {
  switch (rule.type) {
    case 'largest':
    case 'squares':
      return board.groups(mask, rule.adjacency).slice(0, rule.groups);
    case 'ranked':
      return board.groups(mask, rule.adjacency).slice(rule.rank - 1, rule.rank);
    case 'product':
      return board.groups(mask, rule.adjacency).slice(0, rule.groups ?? undefined);
    case 'uncovered':
      return [];
  }
}

/** The points for these squares. */
export function score(rule: ScoringDefinition, board: Board, mask: Uint8Array): number {
  if (rule.type === 'uncovered') return cellsInMask(mask).length;
  const sizes = scoringGroupsOf(rule, board, mask).map((group) => group.length);
  if (rule.type === 'product') return sizes.length ? sizes.reduce((a, b) => a * b, 1) : 0;
  const power = rule.type === 'squares' ? 2 : 1;
  return sizes.reduce((sum, size) => sum + size ** power, 0);
}
