/** Local storage that never throws; private windows and full disks lose the value. */

import { EMBEDDED } from './build';

export function load<T>(key: string, fallback: T): T {
  if (EMBEDDED) return fallback;
  try {
    const text = localStorage.getItem(`taiji.${key}`);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

export function save(key: string, value: unknown): void {
  if (EMBEDDED) return;
  try {
    if (value === undefined || value === null) localStorage.removeItem(`taiji.${key}`);
    else localStorage.setItem(`taiji.${key}`, JSON.stringify(value));
  } catch {
    // Saving is optional.
  }
}
