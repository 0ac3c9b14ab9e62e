/** A text that is not a record or a position; the key is translated. */

import { t, type Key, type Values } from '../i18n/index.svelte';

export class NotationError extends Error {
  constructor(
    readonly key: Key,
    readonly values: Values = {},
  ) {
    super(key);
  }

  get text(): string {
    return t(this.key, this.values);
  }
}
