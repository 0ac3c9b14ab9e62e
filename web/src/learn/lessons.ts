/** The lessons: a position and a goal. The catalogues hold the texts under `learn.<id>`. */

import type { Key } from '../i18n/index.svelte';
import type { Move } from '../rules/game';
import { isPlacement } from '../rules/game';
import { readMove } from '../rules/notation';
import { State } from '../rules/state';
import type { Game } from '../rules/game';

export type Goal = { want: 'place' } | { want: 'refusal'; code: string } | { want: 'swap' } | { want: 'end' };

export interface Position {
  game: string;
  /** Moves that lead to the position. */
  setup: readonly string[];
  /** Random moves up to this stage, and this many plies in it. */
  upTo?: { stage: number; plies: number };
}

export interface Lesson extends Position {
  id: string;
  goal: Goal;
}

const place: Goal = { want: 'place' };
const refusal = (code: string): Goal => ({ want: 'refusal', code });

const LITS_START = ['e5f5g5g6'];

export const LESSONS: Record<string, readonly Lesson[]> = {
  taiji: [
    { id: 'taiji-place', game: 'taiji:size=5', setup: [], goal: place },
    { id: 'taiji-groups', game: 'taiji:size=5', setup: ['b2/c2', 'b3/b4', 'd3/c3', 'd4/d5'], goal: place },
    {
      id: 'taiji-touch',
      game: 'taiji:size=5',
      setup: ['b2/c2', 'b3/b4', 'd3/c3', 'd4/d5'],
      goal: refusal('occupied'),
    },
    {
      id: 'taiji-end',
      game: 'taiji:size=3',
      setup: ['a1/b1', 'c1/c2', 'a2/a3'],
      goal: { want: 'end' },
    },
  ],
  tailits: [
    { id: 'tailits-centre', game: 'tailits', setup: [], goal: refusal('first-covers') },
    { id: 'tailits-touch', game: 'tailits', setup: ['e6f6/g6g7'], goal: refusal('no-touch') },
    { id: 'tailits-same', game: 'tailits', setup: ['e6f6/g6g7'], goal: refusal('same-kind') },
    { id: 'tailits-block', game: 'tailits', setup: ['e6f6/g6g7'], goal: refusal('full-block') },
    { id: 'tailits-score', game: 'tailits', setup: [], upTo: { stage: 0, plies: 6 }, goal: place },
  ],
  'battle-of-lits': [
    { id: 'lits-symbols', game: 'battle-of-lits', setup: [], goal: place },
    { id: 'lits-swap', game: 'battle-of-lits', setup: LITS_START, goal: { want: 'swap' } },
    { id: 'lits-same', game: 'battle-of-lits', setup: LITS_START, goal: refusal('same-kind') },
    { id: 'lits-block', game: 'battle-of-lits', setup: LITS_START, goal: refusal('full-block') },
    { id: 'lits-score', game: 'battle-of-lits', setup: [], upTo: { stage: 0, plies: 7 }, goal: place },
  ],
  'tailits+taiji': [
    { id: 'tt-below', game: 'tailits+taiji', setup: [], upTo: { stage: 0, plies: 5 }, goal: place },
    {
      id: 'tt-level',
      game: 'tailits+taiji',
      setup: [],
      upTo: { stage: 1, plies: 4 },
      goal: refusal('not-level'),
    },
    { id: 'tt-above', game: 'tailits+taiji', setup: [], upTo: { stage: 1, plies: 8 }, goal: place },
  ],
  'taiji+battle-of-lits': [
    {
      id: 'tl-below',
      game: 'taiji+battle-of-lits:size=7',
      setup: [],
      upTo: { stage: 0, plies: 6 },
      goal: place,
    },
    {
      id: 'tl-above',
      game: 'taiji+battle-of-lits:size=7',
      setup: [],
      upTo: { stage: 1, plies: 0 },
      goal: place,
    },
    {
      id: 'tl-swap',
      game: 'taiji+battle-of-lits:size=7',
      setup: [],
      upTo: { stage: 1, plies: 1 },
      goal: { want: 'swap' },
    },
  ],
};

export const lessonKeys = (id: string) => ({
  title: `learn.${id}.title` as Key,
  text: `learn.${id}.text` as Key,
  done: `learn.${id}.done` as Key,
});

/** Return the moves that lead to a position. */
export function prepared(game: Game, { setup, upTo }: Position): Move[] {
  const moves: Move[] = [];
  let state = State.start(game);
  for (const text of setup) {
    const move = readMove(state, text);
    if (!move) throw new Error(`${game.name}: ${text} is not a move`);
    state = state.play(move);
    moves.push(move);
  }
  if (!upTo) return moves;
  // A linear congruential generator with a fixed seed: the same moves each time.
  let seed = 7;
  const draw = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * below);
  };
  while (!state.isOver && (state.stageIndex < upTo.stage || state.layer.placed.length < upTo.plies)) {
    const legal = state.legal().filter((move) => isPlacement(move));
    const move = legal[draw(legal.length)];
    state = state.play(move);
    moves.push(move);
  }
  return moves;
}
