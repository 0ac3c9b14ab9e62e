import { t } from '../i18n/index.svelte';

const DELETED = /^\(\d+\)$/;

/** The page of an entrant with an account; null for one who was deleted. */
export function entrantPath(name: string): string | null {
  return DELETED.test(name) ? null : `/player/${encodeURIComponent(name)}`;
}

/** The name of an entrant; of one who was deleted only the number is left. */
export function entrantName(name: string): string {
  return DELETED.test(name) ? `${t('player.deleted')} ${name}` : name;
}
