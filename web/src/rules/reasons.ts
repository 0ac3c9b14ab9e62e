/** Why a move is illegal: codes of the server that the catalogues translate. */

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

export interface IllegalReason {
  code: ReasonCode;
  cells: string[];
  kind: string;
}
