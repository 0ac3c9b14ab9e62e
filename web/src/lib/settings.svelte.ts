/** What a player has set, kept in this browser. */

import { load, save } from './store';

export const THEMES = ['auto', 'light', 'dark'] as const;
export const MOTIONS = ['auto', 'less', 'full'] as const;

export interface Choices {
  theme: (typeof THEMES)[number];
  motion: (typeof MOTIONS)[number];
  patterns: boolean;
  confirm: boolean;
  sounds: boolean;
  coordinates: boolean;
  scores: boolean;
  language: string;
}

const DEFAULTS: Choices = {
  theme: 'auto',
  motion: 'auto',
  patterns: false,
  confirm: false,
  sounds: true,
  coordinates: true,
  scores: true,
  language: '',
};

export const settings = $state<Choices>({ ...DEFAULTS, ...load<Partial<Choices>>('settings', {}) });

export function change<K extends keyof Choices>(name: K, value: Choices[K]): void {
  settings[name] = value;
  save('settings', $state.snapshot(settings));
}

const systemStill = matchMedia('(prefers-reduced-motion: reduce)');

/** Whether things should not move. */
export function still(): boolean {
  return settings.motion === 'less' || (settings.motion === 'auto' && systemStill.matches);
}

/** Puts the settings that the style sheets look at onto the page. */
export function showOnPage(): void {
  const { dataset } = document.documentElement;
  if (settings.theme === 'auto') delete dataset.theme;
  else dataset.theme = settings.theme;
  dataset.motion = still() ? 'less' : 'full';
}
