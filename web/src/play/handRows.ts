/** The height of the hand in rows: the same in every stage of a game, so that nothing moves between turns. */

import { pairSteps } from '../board/ghost';
import type { Game, Stage } from '../rules/game';

export function handRows(game: Game, confirming: boolean): number {
  return Math.max(...game.stages.map((stage) => stageRows(stage, confirming)));
}

/** Rows of a stage: shapes, faces if a shape has several, and the buttons; a pair needs buttons only to confirm. */
function stageRows(stage: Stage, confirming: boolean): number {
  if (pairSteps(stage)) return confirming || stage.swap_after !== null ? 1 : 0;
  return hasFaces(stage) ? 3 : 2;
}

/** Whether some kind comes in several colourings. */
export function hasFaces({ pieces, kinds }: Stage): boolean {
  return pieces.length > kinds.length;
}
