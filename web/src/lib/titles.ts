/** Titles of games, clocks and players. */

import { number, t, tOr } from '../i18n/index.svelte';
import { HAS_SERVER } from './build';
import type { Catalogue, ClockRule, PlayerInfo } from '../net/types';

export interface ParsedGame {
  base: string;
  options: Record<string, string>;
}

export function parseGame(text: string): ParsedGame {
  const colon = text.indexOf(':');
  const base = colon < 0 ? text : text.slice(0, colon);
  const rest = colon < 0 ? [] : text.slice(colon + 1).split(',');
  return { base, options: Object.fromEntries(rest.map((part) => part.split('='))) };
}

export function gameText({ base, options }: ParsedGame): string {
  const parts = Object.entries(options).map(([name, value]) => `${name}=${value}`);
  return parts.length ? `${base}:${parts.join(',')}` : base;
}

/** The five games; a server may offer more. */
export const TITLES: Readonly<Record<string, string>> = {
  taiji: 'TAIJI',
  tailits: 'TAILITS',
  'battle-of-lits': 'Battle of LITS',
  'tailits+taiji': 'TAILITS+TAIJI',
  'taiji+battle-of-lits': 'TAIJI+Battle of LITS',
};

/** A game's title with its options: `TAIJI 7×7`, `TAILITS, second largest group`. */
export function gameTitle(text: string, catalogue?: Catalogue | null): string {
  const edition = catalogue?.editions.find((known) => known.name === text);
  if (edition) return edition.title;
  const { base, options } = parseGame(text);
  const info = catalogue?.games.find((game) => game.name === base);
  let title = info?.title ?? TITLES[base] ?? base;
  const size = options.size ?? (base === 'taiji' ? '9' : undefined);
  if (size) title += ` ${size}×${size}`;
  const others = Object.entries(options).filter(([name]) => name !== 'size' && name !== 'symbols');
  return [title, ...others.map(([name, value]) => optionText(name, value))].join(', ');
}

function optionText(name: string, value: string): string {
  return tOr(`value.${name}.${value}`, `${tOr(`option.${name}`, name)} ${value}`);
}

export function clockText(rule: ClockRule | null): string {
  if (!rule) return t('clock.none');
  const minutes = (seconds: number) => number(seconds / 60);
  switch (rule.clock_type) {
    case 'sudden':
      return t('clock.text.sudden', { main: minutes(rule.main_s) });
    case 'fischer':
      return t('clock.text.fischer', { main: minutes(rule.main_s), add: rule.increment_s });
    case 'bronstein':
      return t('clock.text.bronstein', { main: minutes(rule.main_s), add: rule.delay_s });
    case 'byoyomi':
      return t('clock.text.byoyomi', {
        main: minutes(rule.main_s),
        periods: rule.periods,
        period: rule.period_s,
      });
    case 'correspondence':
      return t('clock.text.correspondence', { n: rule.days });
  }
}

/** The path of a player's page; null for guests, the computer and deleted accounts, who have none. */
export function playerPath(player: PlayerInfo | null): string | null {
  if (!HAS_SERVER || !player?.name || player.guest || player.account_type === 'computer') return null;
  return `/player/${encodeURIComponent(player.name)}`;
}

/** The player's name; others see that a guest is one. */
export function playerName(player: PlayerInfo | null, you = false): string {
  if (!player) return t('player.waiting');
  if (player.account_type === 'computer') return t('player.computer', { level: player.level ?? 0 });
  const { guest, rating } = player;
  const plain = player.name ?? (guest ? t('player.guest') : t('player.deleted'));
  const name = rating === null ? plain : `${plain} (${rating})`;
  if (you) return t('player.you', { name });
  return guest && player.name !== null ? t('player.guest-named', { name }) : name;
}
