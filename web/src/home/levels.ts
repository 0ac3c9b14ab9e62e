import { t, type Key } from '../i18n/index.svelte';

const WORDS: Key[] = ['level.friendly', 'level.easy', 'level.sound', 'level.strong', 'level.fierce'];

/** The name of a level from 1 to 10. */
export function levelName(level: number): string {
  return t(WORDS[Math.min(WORDS.length - 1, Math.floor((level - 1) / 2))]);
}
