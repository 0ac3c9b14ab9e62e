/** What the coach says at each point of a first game; it follows from the position and the rules alone. */

import { colourName } from '../board/describe';
import { ghostOf, pairSteps, type Ghost } from '../board/ghost';
import type { Key, Values } from '../i18n/index.svelte';
import type { Colour, Seat } from '../rules/definition';
import { isPlacement, type Move } from '../rules/game';
import type { Placement } from '../rules/layout';
import type { State } from '../rules/state';

export interface CoachNote {
  key: Key;
  values: Values;
  /** A move to try, shown on the board. */
  ghost: Ghost | null;
  /** The cells that the note is about. */
  cells: readonly number[];
  /** Whether the coach has nothing more to say after this note. */
  last: boolean;
}

/** Return the coach's note for a player at the latest position; null if there is nothing to say. */
export function coachNote(states: readonly State[], moves: readonly Move[], you: Seat): CoachNote | null {
  const state = states[states.length - 1];
  if (state.isOver) return note(state, you, 'coach.over', { last: true });
  const own = placements(states, moves, you, state.stageIndex);
  if (state.seatToMove !== you) return own === 0 ? note(state, you, 'coach.wait') : null;
  if (state.canSwap) return note(state, you, state.below ? 'coach.swap-above' : 'coach.swap');
  if (own === 0) return note(state, you, firstKey(state), { ghost: suggestion(state) });
  const keys = laterKeys(state);
  const key = keys[own - 1];
  if (!key) return null;
  const last = own === keys.length && state.stageIndex === state.game.stages.length - 1;
  return note(state, you, key, { cells: countedCells(state, you), last });
}

function placements(states: readonly State[], moves: readonly Move[], you: Seat, stage: number): number {
  return moves.filter(
    (move, ply) => isPlacement(move) && states[ply].stageIndex === stage && states[ply].seatToMove === you,
  ).length;
}

const countsSymbols = (state: State) => state.currentStage.score.source === 'symbols';

function firstKey(state: State): Key {
  if (pairSteps(state.currentStage)) return state.below ? 'coach.pair.above' : 'coach.pair.first';
  if (countsSymbols(state)) return state.below ? 'coach.symbols.above' : 'coach.symbols.first';
  return state.currentStage.traits.start_cells.length && state.context.first
    ? 'coach.pieces.centre'
    : 'coach.pieces.first';
}

function laterKeys(state: State): Key[] {
  const pair = pairSteps(state.currentStage) !== null;
  if (pair) return ['coach.groups.counts', 'coach.groups.room', 'coach.hint'];
  if (countsSymbols(state)) return ['coach.symbols.counts', 'coach.pieces.rules', 'coach.hint'];
  return ['coach.pieces.rules', 'coach.groups.counts', 'coach.hint'];
}

function note(state: State, you: Seat, key: Key, more: Partial<CoachNote> = {}): CoachNote {
  const { score } = state.currentStage;
  const colour = state.colourOf(you);
  const points = state.stageScores();
  const scores = state.scores();
  const counted = score.last === null ? 0 : score.last - score.first + 1;
  const values = {
    mine: colourName(state.game, colour),
    theirs: colourName(state.game, (1 - colour) as Colour),
    points: points[you],
    others: points[1 - you],
    total: scores[you],
    otherTotal: scores[1 - you],
    n: counted,
  };
  return { key, values, ghost: null, cells: [], last: false, ...more };
}

function countedCells(state: State, you: Seat): number[] {
  return countsSymbols(state) ? [] : state.scoringGroups(state.colourOf(you)).flat();
}

/** A simple first move: near the centre, or over as many of the opponent's symbols as possible. */
export function suggestion(state: State): Ghost | null {
  const { board } = state;
  const [x, y] = [(board.width - 1) / 2, (board.height - 1) / 2];
  const theirs = state.symbols((1 - state.colourToMove) as Colour);
  const own = state.symbols(state.colourToMove);
  const worth = ({ footprint: { cells } }: Placement) =>
    cells.reduce((sum, cell) => {
      const distance = Math.hypot(board.column(cell) - x, board.row(cell) - y);
      return sum + 100 * (theirs[cell] - own[cell]) - distance;
    }, 0);
  let best: Placement | null = null;
  let most = -Infinity;
  for (const move of state.legal()) {
    if (!isPlacement(move)) continue;
    const value = worth(move);
    if (value > most) [best, most] = [move, value];
  }
  return best && ghostOf(state, best);
}
