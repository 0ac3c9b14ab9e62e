/** The phrases that players may say, in the order of the dialog; each side reads them in its own language. */

import type { Phrase, ReportReason } from '../net/types';

export const PHRASES: readonly Phrase[] = [
  'hello',
  'good-luck',
  'thanks',
  'sorry',
  'one-moment',
  'have-to-go',
  'well-played',
  'good-game',
  'rematch',
];

export const REASONS: readonly ReportReason[] = ['engine', 'stalling', 'name', 'phrases', 'other'];
