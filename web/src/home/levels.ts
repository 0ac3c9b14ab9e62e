import { t, type Key } from '../i18n/index.svelte';

const WORDS: Key[] = ['level.friendly', 'level.easy', 'level.sound', 'level.strong', 'level.fierce'];

/** A level from 1 to 10 in a word. */
export function levelWord(level: number): string {
  return t(WORDS[Math.min(WORDS.length - 1, Math.floor((level - 1) / 2))]);
}
