/** The text of an error of the server, translated. */

import { reasonText } from '../board/describe';
import { tOr } from '../i18n/index.svelte';
import type { ErrorInfo } from '../net/types';

/** Errors whose English message says more than their code. */
const DETAILED = ['bad-game', 'bad-position', 'bad-record', 'tournament', 'unsupported'];

export function errorText({ code, message, reason }: ErrorInfo): string {
  if (reason) return reasonText({ ...reason, text: message });
  return tOr(`error.${code}`, message) + (DETAILED.includes(code) ? `: ${message}` : '');
}
