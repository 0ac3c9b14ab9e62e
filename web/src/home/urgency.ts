/** The order of a player's games: what cannot wait comes first. */

import type { Summary } from '../net/types';

export type Concern = 'your-turn' | 'asks-you' | 'their-turn' | 'waiting';

const ORDER: readonly Concern[] = ['your-turn', 'asks-you', 'their-turn', 'waiting'];

/** What a game wants of the viewer. */
export function concern(table: Summary): Concern {
  if (table.status === 'waiting') return table.your_seat ? 'waiting' : 'asks-you';
  return table.turn !== null && table.turn === table.your_seat ? 'your-turn' : 'their-turn';
}

/** Own turns first, those whose time ends soonest; then challenges to the viewer, games of others' turn, own challenges. */
export function byUrgency(tables: readonly Summary[]): Summary[] {
  const never = Number.MAX_SAFE_INTEGER;
  return [...tables].sort((a, b) => {
    const rank = ORDER.indexOf(concern(a)) - ORDER.indexOf(concern(b));
    if (rank) return rank;
    if (concern(a) === 'your-turn')
      return (a.deadline ?? never) - (b.deadline ?? never) || a.updated - b.updated;
    return b.updated - a.updated;
  });
}
