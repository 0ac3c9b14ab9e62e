/** Why a move is not allowed, as data that any language can put into words; the codes are the server's. */

export const REASON_CODES = [
  'occupied',
  'not-a-piece',
  'no-supply',
  'no-touch',
  'same-kind',
  'full-block',
  'first-covers',
  'not-level',
  'over',
  'no-swap',
  'wrong-stage',
] as const;

export type ReasonCode = (typeof REASON_CODES)[number];

export interface Reason {
  code: ReasonCode;
  cells: string[];
  kind: string;
}
