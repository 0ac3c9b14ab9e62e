/** Descriptions of cells, ghosts, moves and reasons, for screen readers and captions. */

import { fill, number, t, tOr } from '../i18n/index.svelte';
import { isKomi, isSwap, type Game, type Move, type NameKomi, type Swap } from '../rules/game';
import type { IllegalReason } from '../rules/reasons';
import type { State } from '../rules/state';
import { LIGHT, type Colour } from '../rules/definition';
import type { Ghost } from './ghost';

/** The rulebook's name of a colour, translated. */
export function colourName(game: Game, colour: Colour): string {
  const names = game.definition.program.colour_names;
  const name = colour === LIGHT ? names.light : names.dark;
  return tOr(`colour.${name}`, name);
}

export function shapeName(kind: string): string {
  return tOr(`kind.${kind}`, kind);
}

/** A swap or a named komi in the list of moves. */
export function choiceText(move: Swap | NameKomi): string {
  return isKomi(move) ? t('komi.move', { points: number(move.komi / 2) }) : t('swap.move');
}

/** The reason why a move is illegal, as a sentence; a rule without a translation brings its English text. */
export function reasonText({ code, cells, kind, text = code }: IllegalReason): string {
  const sentence = `${text[0].toUpperCase()}${text.slice(1)}.`;
  const values = {
    cells: cells.join(', '),
    first: cells[0],
    last: cells[cells.length - 1],
    kind: shapeName(kind),
  };
  return tOr(`reason.${code}`, fill(sentence, values), values);
}

/** Describe a cell: its piece or symbol, and its group. */
export function describeCell(state: State, cell: number): string {
  const { board, layer, below } = state;
  const name = board.name(cell);
  const { game } = state;
  const parts: string[] = [name];
  if (layer.covered[cell]) {
    const kind = state.currentStage.kinds[layer.kinds[cell] - 1];
    const colour = layer.light[cell] ? 0 : layer.dark[cell] ? 1 : null;
    if (colour !== null) {
      parts.push(t('speech.half', { colour: colourName(game, colour), kind: shapeName(kind) }));
      const group = state.groups(colour).find((cells) => cells.includes(cell));
      if (group) parts.push(t('speech.group', { n: group.length }));
    } else parts.push(t('speech.covered', { kind: shapeName(kind) }));
  } else {
    const symbol = state.symbols(0)[cell] ? 0 : state.symbols(1)[cell] ? 1 : null;
    parts.push(symbol === null ? t('speech.free') : t('speech.symbol', { colour: colourName(game, symbol) }));
    if (below) parts.push(below.covered[cell] ? t('speech.raised') : t('speech.bare'));
  }
  return parts.join(', ');
}

/** Describe the held piece: its cells, and whether it is legal there. */
export function describeGhost(state: State, ghost: Ghost): string {
  const verdict = ghost.reason ? reasonText(ghost.reason) : t('speech.allowed');
  return `${shapeName(ghost.kind)}: ${describeSquares(state, ghost.light, ghost.dark, ghost.cells)}. ${verdict}`;
}

/** Describe a move from the position before it. */
export function describeMove(before: State, move: Move): string {
  const who = colourName(before.game, before.colourToMove);
  if (isSwap(move)) return t('speech.swapped', { who });
  if (isKomi(move)) return t('speech.komi', { who, points: move.komi / 2 });
  const { kind, cells } = move.footprint;
  const where = describeSquares(before, move.light, move.dark, cells);
  return t('speech.placed', { who, kind: shapeName(kind), where });
}

function describeSquares({ game, board }: State, light: number[], dark: number[], cells: number[]): string {
  const names = (squares: number[]) => board.names(squares).join(' ');
  if (!light.length) return names(cells);
  return `${colourName(game, 0)} ${names(light)}, ${colourName(game, 1)} ${names(dark)}`;
}
