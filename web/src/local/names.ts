/** The names of the players of a game kept in this browser. */

import { t } from '../i18n/index.svelte';
import type { Seat } from '../rules/definition';
import type { SavedGame } from './savedGames';

/** The name on a seat; null if nothing but the seat is known of the player. */
export function knownName({ names, computer }: SavedGame, seat: Seat): string | null {
  if (names[seat] !== null || !computer) return names[seat];
  return computer.seat === seat ? t('player.computer', { level: computer.level }) : t('local.you');
}
