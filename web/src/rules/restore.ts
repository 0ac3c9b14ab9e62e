/** Rebuild a position from the pieces on its board, in whatever order they were placed. */

import type { Game, Move } from './game';
import { maskOf } from './geometry';
import type { Placement } from './layout';
import { explain, firstFailure, type PlacementContext } from './program';
import { reason, type IllegalReason } from './reasons';
import { State } from './state';

/** How many positions are tried if the order of the placements matters. */
const MAX_POSITIONS = 20_000;

export type Restored = { state: State; moves: Move[] } | { state: null; reason: IllegalReason };

/** The position with these placements by stage and an order that leads to it, or why no game leads there. */
export function restore(
  game: Game,
  placed: readonly (readonly Placement[])[],
  swapped = false,
  komi: number | null = null,
): Restored {
  let state = State.start(game);
  const opening = new Set(game.opening.map(({ action }) => action));
  const missing = game.opening.some((move) => !placed[0]?.some(({ action }) => action === move.action));
  if (missing) return { state: null, reason: reason('no-opening') };
  const moves: Move[] = [];
  const add = (move: Move) => {
    state = state.play(move);
    moves.push(move);
  };
  const named = game.komis.find((move) => move.komi === komi);
  if (named) add(named);
  if (swapped && state.canSwap && game.swap) add(game.swap);
  for (const [stage, all] of placed.entries()) {
    const placements = all.filter(({ action }) => !opening.has(action));
    if (placements.length && stage !== state.stageIndex) return { state: null, reason: reason('stage-open') };
    const order = findOrder(state, placements);
    if (!Array.isArray(order)) return { state: null, reason: order };
    for (const placement of order) {
      const obstacle = state.illegalReason(placement);
      if (obstacle) return { state: null, reason: obstacle };
      add(placement);
      if (swapped && state.canSwap && game.swap) add(game.swap);
    }
  }
  return swapped === state.swapped ? { state, moves } : { state: null, reason: reason('no-swap') };
}

/** An order in which these pieces can be placed, or why there is none. */
function findOrder(state: State, placements: readonly Placement[]): Placement[] | IllegalReason {
  const { board, currentStage, game, stageIndex } = state;
  const { tests } = game.layouts[stageIndex];
  const ground = state.below?.covered ?? new Uint8Array(board.size);
  const seen = new Set<string>();
  let obstacle = reason('no-order');
  let shortest = placements.length + 1;
  const laid = [...state.layer.placed];
  const stack: { done: Placement[]; left: Placement[] }[] = [{ done: [], left: [...placements] }];
  while (stack.length && seen.size < MAX_POSITIONS) {
    const { done, left } = stack.pop()!;
    if (!left.length) return done;
    const context = contextOf(board.size, [...laid, ...done], ground);
    const failures = left.map(({ footprint }) => firstFailure(tests, footprint, context));
    const ready = [...left.keys()].filter((index) => !failures[index]);
    if (!ready.length && left.length < shortest) {
      shortest = left.length;
      obstacle = explain(failures[0]!, board);
    }
    for (const index of currentStage.traits.order_free ? ready.slice(0, 1) : ready.reverse()) {
      const rest = left.filter((_, other) => other !== index);
      const key = rest.map(({ action }) => action).join();
      if (seen.has(key)) continue;
      seen.add(key);
      stack.push({ done: [...done, left[index]], left: rest });
    }
  }
  return obstacle;
}

function contextOf(size: number, placed: readonly Placement[], ground: Uint8Array): PlacementContext {
  const kinds = new Uint8Array(size);
  for (const { footprint } of placed)
    for (const cell of footprint.cells) kinds[cell] = footprint.kindIndex + 1;
  const covered = maskOf(
    size,
    placed.flatMap(({ footprint }) => footprint.cells),
  );
  return { covered, kinds, ground, first: !placed.length };
}

/** The placements of a position by stage. */
export function placements(state: State): Placement[][] {
  return state.layers.map((layer) => [...layer.placed]);
}
