/** Things that went wrong but do not stop play: each is said once. */

import type { Key } from '../i18n/index.svelte';

class Notices {
  shown = $state.raw<readonly Key[]>([]);
  private readonly said = new Set<Key>();

  say(key: Key): void {
    if (this.said.has(key)) return;
    this.said.add(key);
    this.shown = [...this.shown, key];
  }

  close(key: Key): void {
    this.shown = this.shown.filter((shown) => shown !== key);
  }
}

export const notices = new Notices();
