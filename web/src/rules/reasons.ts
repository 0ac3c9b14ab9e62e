/** Why a move is illegal: a code that the catalogues translate, and the cells to name and to highlight. */

export interface IllegalReason {
  code: string;
  /** The names of the cells. */
  cells: readonly string[];
  /** The shape or part that the sentence names. */
  kind: string;
  /** The English sentence with placeholders, for a code without a translation. */
  text?: string;
  /** The cells to highlight. */
  marks?: readonly number[];
}

/** A reason that does not come from a placing rule. */
export function reason(code: string, kind = ''): IllegalReason {
  return { code, cells: [], kind };
}
