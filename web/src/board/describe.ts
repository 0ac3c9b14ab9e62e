/** Descriptions of cells, ghosts, moves and reasons, for screen readers and captions. */

import { t, tOr } from '../i18n/index.svelte';
import type { Move } from '../rules/game';
import { isSwap } from '../rules/game';
import type { IllegalReason } from '../rules/reasons';
import type { State } from '../rules/state';
import { LIGHT, type Colour, type GameDefinition } from '../rules/definition';
import type { Ghost } from './ghost';

/** The rulebook's name of a colour, translated. */
export function colourName(value: GameDefinition, colour: Colour): string {
  const word = colour === LIGHT ? value.words.light : value.words.dark;
  return tOr(`colour.${word}`, word);
}

export function shapeName(kind: string): string {
  return tOr(`kind.${kind}`, kind);
}

/** The reason why a move is illegal, as a sentence. */
export function reasonText(reason: IllegalReason): string {
  const cells = reason.cells.join(reason.code === 'full-block' ? '–' : ', ');
  if (reason.code === 'not-level') {
    return reason.kind === 'one half'
      ? t('reason.not-level', { cells })
      : t('reason.not-level-part', { cells });
  }
  return tOr(`reason.${reason.code}`, reason.code, { cells, kind: shapeName(reason.kind) });
}

/** Describe a cell: its piece or symbol, and its group. */
export function describeCell(state: State, cell: number): string {
  const { board, layer, below } = state;
  const name = board.name(cell);
  const value = state.game.definition;
  const parts: string[] = [name];
  if (layer.covered[cell]) {
    const kind = state.currentStage.kinds[layer.kinds[cell] - 1];
    const colour = layer.light[cell] ? 0 : layer.dark[cell] ? 1 : null;
    if (colour !== null) {
      parts.push(t('speech.half', { colour: colourName(value, colour), kind: shapeName(kind) }));
      const group = state.groups(colour).find((cells) => cells.includes(cell));
      if (group) parts.push(t('speech.group', { n: group.length }));
    } else parts.push(t('speech.covered', { kind: shapeName(kind) }));
  } else {
    const symbol = state.symbols(0)[cell] ? 0 : state.symbols(1)[cell] ? 1 : null;
    parts.push(
      symbol === null ? t('speech.free') : t('speech.symbol', { colour: colourName(value, symbol) }),
    );
    if (below) parts.push(below.covered[cell] ? t('speech.raised') : t('speech.bare'));
  }
  return parts.join(', ');
}

/** Describe the held piece: its cells, and whether it is legal there. */
export function describeGhost(state: State, ghost: Ghost): string {
  const value = state.game.definition;
  const names = (cells: number[]) => state.board.names(cells).join(' ');
  const where = ghost.light.length
    ? `${colourName(value, 0)} ${names(ghost.light)}, ${colourName(value, 1)} ${names(ghost.dark)}`
    : names(ghost.cells);
  const verdict = ghost.reason ? reasonText(ghost.reason) : t('speech.allowed');
  return `${shapeName(ghost.kind)}: ${where}. ${verdict}`;
}

/** Describe a move from the position before it. */
export function describeMove(before: State, move: Move): string {
  const who = colourName(before.game.definition, before.colourToMove);
  if (isSwap(move)) return t('speech.swapped', { who });
  const board = before.board;
  const names = (cells: number[]) => board.names(cells).join(' ');
  const value = before.game.definition;
  const where = move.light.length
    ? `${colourName(value, 0)} ${names(move.light)}, ${colourName(value, 1)} ${names(move.dark)}`
    : names(move.footprint.cells);
  return t('speech.placed', { who, kind: shapeName(move.footprint.kind), where });
}
