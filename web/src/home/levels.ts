import { t, type Key } from '../i18n/index.svelte';
import { levelsOf, widthInText } from '../lib/levelTable';

const WORDS: Key[] = ['level.friendly', 'level.easy', 'level.sound', 'level.strong', 'level.fierce'];

/** The name of a level from 1 to 10, and its strength in a game. */
export function describeLevel(level: number, gameText: string): string {
  const name = t(WORDS[Math.min(WORDS.length - 1, Math.floor((level - 1) / 2))]);
  const { elo } = levelsOf(gameText, widthInText(gameText))[level - 1];
  return elo ? `${name}, ${t('level.elo', { elo })}` : name;
}
