/** Positions as a line of text: `tji1 GAME PLACEMENTS MOVER SEATS`, and a komi that is named, as in docs/notation.md. */

import { isKomi, type Game } from '../rules/game';
import type { Placement } from '../rules/layout';
import { moveText, readKomi, readStageMove } from '../rules/notation';
import { restore } from '../rules/restore';
import { reasonText } from '../board/describe';
import type { State } from '../rules/state';
import { NotationError } from './errors';

const VERSION = 'tji1';
const FIELDS = 5;

/** Format a position; equal positions give equal texts. */
export function formatPosition(state: State): string {
  const { game } = state;
  const stages = state.layers.map((layer) => {
    const sorted = [...layer.placed].sort((a, b) => a.action - b.action);
    return sorted.map((placement) => moveText(game, placement)).join() || '-';
  });
  const named = game.komis.find(({ komi }) => komi === state.komi);
  return [
    VERSION,
    game.name,
    stages.join(';'),
    state.isOver ? 'over' : state.colourToMove ? 'dark' : 'light',
    state.swapped ? 'swapped' : '-',
    ...(game.komis.length ? [named ? moveText(game, named) : '-'] : []),
  ].join(' ');
}

export function looksLikePosition(text: string): boolean {
  return text.trim().toLowerCase().startsWith(`${VERSION} `);
}

/** Parse a position; `load` fetches its game. Throw `NotationError` if no game leads to it. */
export async function parsePosition(text: string, load: (game: string) => Promise<Game>): Promise<State> {
  const fields = text.trim().split(/\s+/);
  const expected = `${VERSION} GAME PLACEMENTS MOVER SEATS`;
  if (fields.length < FIELDS || fields.length > FIELDS + 1 || fields[0].toLowerCase() !== VERSION)
    throw new NotationError('notation.position', { fields: expected });
  const game = await load(fields[1]);
  if (fields.length > FIELDS !== game.komis.length > 0)
    throw new NotationError('notation.position', {
      fields: game.komis.length ? `${expected} KOMI` : expected,
    });
  const komi = fields.length > FIELDS && fields[5] !== '-' ? readKomi(game, fields[5].toLowerCase()) : null;
  if (fields.length > FIELDS && fields[5] !== '-' && !komi)
    throw new NotationError('notation.move', { move: fields[5].slice(0, 40) });
  const placed = fields[2]
    .split(';')
    .map((stage, index) =>
      stage === '-' ? [] : stage.split(',').map((move) => placement(game, index, move)),
    );
  const swapped = fields[4].toLowerCase() === 'swapped';
  const found = restore(game, placed, swapped, komi && isKomi(komi) ? komi.komi : null);
  if (!found.state) throw new NotationError('notation.unreachable', { reason: reasonText(found.reason) });
  const side = formatPosition(found.state).split(' ')[3];
  if (fields[3].toLowerCase() !== side) throw new NotationError('notation.side', { expected: side });
  return found.state;
}

function placement(game: Game, stage: number, text: string): Placement {
  const move = stage < game.stages.length ? readStageMove(game, stage, text) : null;
  if (!move) throw new NotationError('notation.move', { move: text.slice(0, 40) });
  return move;
}
