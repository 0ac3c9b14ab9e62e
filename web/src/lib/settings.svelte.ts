/** The player's settings, saved in this browser. */

import { load, save } from './localStore';

export const THEMES = ['auto', 'light', 'dark'] as const;
export const MOTIONS = ['auto', 'less', 'full'] as const;

export interface UserSettings {
  theme: (typeof THEMES)[number];
  motion: (typeof MOTIONS)[number];
  patterns: boolean;
  confirm: boolean;
  sounds: boolean;
  coordinates: boolean;
  scores: boolean;
  /** Whether to show what opponents say. */
  phrases: boolean;
  language: string;
}

const DEFAULTS: UserSettings = {
  theme: 'auto',
  motion: 'auto',
  patterns: false,
  confirm: false,
  sounds: true,
  coordinates: true,
  scores: true,
  phrases: true,
  language: '',
};

export const settings = $state<UserSettings>({ ...DEFAULTS, ...load<Partial<UserSettings>>('settings', {}) });

export function change<K extends keyof UserSettings>(name: K, value: UserSettings[K]): void {
  settings[name] = value;
  save('settings', $state.snapshot(settings));
}

/** Whether the page is shown in the dark theme. */
export function isDark(): boolean {
  return (
    settings.theme === 'dark' ||
    (settings.theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  );
}

/** Whether to reduce motion. */
export function reducedMotion(): boolean {
  return (
    settings.motion === 'less' ||
    (settings.motion === 'auto' && matchMedia('(prefers-reduced-motion: reduce)').matches)
  );
}

/** Write the settings that style sheets use to the root element. */
export function applySettings(): void {
  const { dataset } = document.documentElement;
  if (settings.theme === 'auto') delete dataset.theme;
  else dataset.theme = settings.theme;
  dataset.motion = reducedMotion() ? 'less' : 'full';
}
