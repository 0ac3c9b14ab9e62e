/** Reasons for a move, as `analysis/reasons.py` gives them: facts about the position before and after it. */

import type { MoveReason } from '../net/generated/contract';
import type { Colour } from '../rules/definition';
import { isPlacement, isSwap, type Move } from '../rules/game';
import { cellsInMask, maskOf, type Board } from '../rules/geometry';
import type { Placement } from '../rules/layout';
import { tallyScore } from '../rules/program';
import type { State } from '../rules/state';

const MAX_REASONS = 3;
/** Free squares that are worth mentioning. */
const MIN_ROOM = 2;
/** Part of the board, in each direction, that counts as its middle. */
const MIDDLE = 1 / 3;
/** Reasons for a reply, and what each says against the move before it. */
const AGAINST: Record<string, string> = {
  'wins-now': 'lets-win',
  joins: 'lets-join',
  grows: 'gives',
  'keeps-apart': 'lets-cut',
  'no-room': 'lets-close',
  covers: 'lets-cover',
};

type Cells = readonly number[];

/** Up to three reasons for a legal move, most telling first. */
export function explain(state: State, move: Move): MoveReason[] {
  if (isSwap(move)) return [reason('swap')];
  if (!isPlacement(move)) return [reason('komi')];
  const after = state.play(move);
  const reasons = endings(state, after, move);
  if (state.currentStage.score.source === 'symbols') reasons.push(...symbols(state, move));
  else {
    reasons.push(...groups(state, move));
    if (!after.isOver && after.stageIndex === state.stageIndex) reasons.push(...future(state, move));
  }
  return reasons.length ? reasons.slice(0, MAX_REASONS) : [reason('search', move.footprint.cells)];
}

/** What the opponent's reply gains from a move, most telling first, unless it gains that in the better line too. */
export function explainAgainst(
  state: State,
  move: Move,
  reply: Move | null,
  best: readonly Move[] = [],
): MoveReason[] {
  const after = state.play(move);
  if (!reply || after.isOver || after.stageIndex !== state.stageIndex || !isPlacement(move)) return [];
  const better = best.length > 1 ? state.play(best[0]) : null;
  const unavoidable = better && !better.illegalReason(best[1]) ? explain(better, best[1]) : [];
  const key = ({ code, params }: MoveReason) => code + JSON.stringify(params);
  const known = new Set(unavoidable.map(key));
  return explain(after, reply)
    .filter((one) => one.code in AGAINST && !known.has(key(one)))
    .map((one) => ({ ...one, code: AGAINST[one.code] }));
}

/** A reason; the page has its words by code. */
function reason(code: string, cells: Cells = [], params: Record<string, unknown> = {}): MoveReason {
  return { code, text: code, cells: sorted(cells), params };
}

function endings(state: State, after: State, move: Placement): MoveReason[] {
  const outcome = after.outcome();
  const { cells } = move.footprint;
  if (outcome) return outcome.winner === state.seatToMove ? [reason('wins-now', cells)] : [];
  return after.stageIndex !== state.stageIndex ? [reason('last-piece', cells)] : [];
}

function symbols(state: State, move: Placement): MoveReason[] {
  const colour = state.colourToMove;
  const { cells } = move.footprint;
  const hit = (marks: Uint8Array) => cells.filter((cell) => marks[cell] && !state.layer.covered[cell]);
  const theirs = hit(state.symbols(other(colour)));
  const own = hit(state.symbols(colour));
  if (theirs.length > own.length)
    return [reason('covers', theirs, { symbols: theirs.length, own: own.length })];
  return own.length ? [] : [reason('spares-own', cells)];
}

/** The reasons about groups: the mover's joined or grown, the opponent's kept apart. */
function groups(state: State, move: Placement): MoveReason[] {
  const colour = state.colourToMove;
  const placed = squares(move, colour);
  const own = cellsInMask(state.scoringCells(colour));
  const theirs = cellsInMask(state.scoringCells(other(colour)));
  const reasons: MoveReason[] = [];

  const joined = touched(state, own, placed);
  if (joined.length >= 2) {
    const union = [...new Set([...placed, ...joined.flat()])];
    const sizes = joined.map((group) => group.length);
    reasons.push(reason('joins', union, { groups: joined.length, sizes, size: union.length }));
  }

  const [before, after] = [score(state, own), score(state, [...own, ...placed])];
  if (after > before && own.length) {
    const grown = grouped(state, [...own, ...placed]).find((group) => meets(group, placed)) ?? placed;
    reasons.push(reason('grows', grown, { from: before, to: after }));
  }

  const apart = touched(state, theirs, placed).filter((group) => group.length >= 2);
  if (apart.length >= 2 && !apart.slice(1).some((group) => meets(group, halo(state, apart[0])))) {
    const sizes = [apart[0].length, apart[1].length];
    reasons.push(reason('keeps-apart', [...apart[0], ...apart[1], ...placed], { sizes }));
  }
  return reasons;
}

/** The reasons about the moves to come: room to grow, and what the opponent gets. */
function future(state: State, move: Placement): MoveReason[] {
  const colour = state.colourToMove;
  const placed = squares(move, colour);
  const given = squares(move, other(colour));
  const theirs = cellsInMask(state.scoringCells(other(colour)));
  const reasons = room(state, move);
  if (theirs.length && score(state, [...theirs, ...given]) === score(state, theirs))
    reasons.push(reason('gives-nothing', given));
  const free = without(freeOf(state, halo(state, placed)), move.footprint.cells);
  const own = cellsInMask(state.scoringCells(colour));
  if (free.length >= MIN_ROOM && !touched(state, own, placed).length)
    reasons.push(reason('new-group', placed, { squares: free.length }));
  return reasons;
}

/** Compare the free squares around the largest group of each colour before and after. */
function room(state: State, move: Placement): MoveReason[] {
  const reasons: MoveReason[] = [];
  const mine = state.colourToMove;
  for (const colour of [other(mine), mine]) {
    const own = cellsInMask(state.scoringCells(colour));
    const largest = grouped(state, own)[0];
    if (!largest) continue;
    const grown = grouped(state, [...own, ...squares(move, colour)]).find((group) => meets(group, largest))!;
    const before = freeOf(state, halo(state, largest));
    const after = without(freeOf(state, halo(state, grown)), move.footprint.cells);
    const change = after.length - before.length;
    if (colour === mine) {
      const gained = without(after, before);
      if (change >= MIN_ROOM) reasons.push(placedReason(state, 'makes-room', gained, { squares: change }));
    } else if (before.length && !after.length) {
      const where = side(state.board, before);
      reasons.push(reason('no-room', grown, { size: grown.length, where }));
    } else if (change <= -MIN_ROOM) {
      const taken = before.filter((cell) => move.footprint.cells.includes(cell));
      reasons.push(placedReason(state, 'cuts-room', taken, { squares: -change }));
    }
  }
  return reasons;
}

/** A reason that says where its cells are. */
function placedReason(state: State, code: string, cells: Cells, params: Record<string, unknown>): MoveReason {
  return reason(code, cells, { ...params, where: side(state.board, cells) });
}

function squares(move: Placement, colour: Colour): Cells {
  return colour ? move.dark : move.light;
}

const other = (colour: Colour) => (1 - colour) as Colour;
const sorted = (cells: Cells) => [...cells].sort((a, b) => a - b);
const meets = (cells: Cells, others: Cells) => cells.some((cell) => others.includes(cell));
const without = (cells: Cells, others: Cells) => cells.filter((cell) => !others.includes(cell));
const freeOf = (state: State, cells: Cells) => cells.filter((cell) => !state.layer.covered[cell]);
const joining = (state: State) => state.currentStage.score.join ?? 'edge';
const halo = (state: State, cells: Cells) => state.board.around(cells, joining(state));

function grouped(state: State, cells: Cells): number[][] {
  return state.board.groups(maskOf(state.board.size, cells), joining(state));
}

function score(state: State, cells: Cells): number {
  const tally = state.currentStage.score;
  const mask = maskOf(state.board.size, cells);
  return tallyScore(tally, mask, tally.join ? state.board.groups(mask, tally.join) : []);
}

/** The groups of some cells that are adjacent to the placed squares, largest first. */
function touched(state: State, own: Cells, placed: Cells): number[][] {
  const near = halo(state, placed);
  return grouped(state, own).filter((group) => meets(group, near));
}

/** On which side of the board some cells lie. */
function side(board: Board, cells: Cells): string {
  if (!cells.length) return 'middle';
  const mean = (part: (cell: number) => number) =>
    (2 * cells.reduce((sum, cell) => sum + part(cell), 0)) / cells.length;
  const across = (mean((cell) => board.column(cell)) - (board.width - 1)) / board.width;
  const up = (mean((cell) => board.row(cell)) - (board.height - 1)) / board.height;
  if (Math.max(Math.abs(across), Math.abs(up)) < MIDDLE) return 'middle';
  if (Math.abs(across) >= Math.abs(up)) return across > 0 ? 'right' : 'left';
  return up > 0 ? 'top' : 'bottom';
}
