/** The start of a puzzle: its position, rebuilt in an order in which its pieces can be placed. */

import type { Game } from '../rules/game';
import { moveText, readMove } from '../rules/notation';
import { State } from '../rules/state';

/** The position of a text `tji1 GAME PLACEMENTS MOVER SEATS`; throws if no order of its moves is legal. */
export function positionOf(game: Game, text: string): State {
  const [, , placed, , seats, komi = '-'] = text.split(' ');
  let state = State.start(game);
  if (komi !== '-') state = played(state, komi);
  if (seats === 'swapped' && state.canSwap) state = played(state, 'swap');
  for (const stage of placed.split(';')) {
    const laid = game.opening.map((move) => moveText(game, move));
    let left = stage === '-' ? [] : stage.split(',').filter((move) => !laid.includes(move));
    while (left.length) {
      const next = left.find((move) => isLegal(state, move));
      if (!next) throw new Error(`no legal order: ${text.slice(0, 80)}`);
      state = played(state, next);
      if (seats === 'swapped' && state.canSwap) state = played(state, 'swap');
      left = left.filter((move) => move !== next);
    }
  }
  return state;
}

function isLegal(state: State, text: string): boolean {
  const move = readMove(state, text);
  return move !== null && !state.illegalReason(move);
}

function played(state: State, text: string): State {
  return state.play(readMove(state, text)!);
}
