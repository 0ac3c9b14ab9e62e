/** The board in words: for screen readers, captions and reasons. */

import { t, tOr } from '../i18n/index.svelte';
import type { Move } from '../rules/game';
import { isSwap } from '../rules/game';
import type { Reason } from '../rules/reasons';
import type { State } from '../rules/state';
import { LIGHT, type Colour, type GameValue } from '../rules/value';
import type { Ghost } from './ghost';

/** What the rulebook calls a colour, in the player's language. */
export function colourWord(value: GameValue, colour: Colour): string {
  const word = colour === LIGHT ? value.words.light : value.words.dark;
  return tOr(`colour.${word}`, word);
}

export function kindWord(kind: string): string {
  return tOr(`kind.${kind}`, kind);
}

/** Why a move is not allowed, as a sentence. */
export function reasonText(reason: Reason): string {
  const cells = reason.cells.join(reason.code === 'full-block' ? '–' : ', ');
  if (reason.code === 'not-level') {
    return reason.kind === 'one half' ? t('reason.not-level', { cells }) : t('reason.not-level-part', { cells });
  }
  return tOr(`reason.${reason.code}`, reason.code, { cells, kind: kindWord(reason.kind) });
}

/** What lies on a cell. */
export function cellText(state: State, cell: number): string {
  const { board, layer, below } = state;
  const name = board.name(cell);
  const value = state.game.value;
  const parts: string[] = [name];
  if (layer.covered[cell]) {
    const kind = state.rules.kinds[layer.kinds[cell] - 1];
    const colour = layer.light[cell] ? 0 : layer.dark[cell] ? 1 : null;
    if (colour !== null) {
      parts.push(t('speech.half', { colour: colourWord(value, colour), kind: kindWord(kind) }));
      const group = state.groups(colour).find((cells) => cells.includes(cell));
      if (group) parts.push(t('speech.group', { n: group.length }));
    } else parts.push(t('speech.covered', { kind: kindWord(kind) }));
  } else {
    const symbol = state.symbols(0)[cell] ? 0 : state.symbols(1)[cell] ? 1 : null;
    parts.push(symbol === null ? t('speech.free') : t('speech.symbol', { colour: colourWord(value, symbol) }));
    if (below) parts.push(below.covered[cell] ? t('speech.raised') : t('speech.bare'));
  }
  return parts.join(', ');
}

/** Where the piece in hand would lie, and whether it may. */
export function ghostText(state: State, ghost: Ghost): string {
  const value = state.game.value;
  const names = (cells: number[]) => state.board.names(cells).join(' ');
  const where = ghost.light.length
    ? `${colourWord(value, 0)} ${names(ghost.light)}, ${colourWord(value, 1)} ${names(ghost.dark)}`
    : names(ghost.cells);
  const verdict = ghost.reason ? reasonText(ghost.reason) : t('speech.allowed');
  return `${kindWord(ghost.kind)}: ${where}. ${verdict}`;
}

/** A move that was made. */
export function moveSpeech(before: State, move: Move): string {
  const who = colourWord(before.game.value, before.toMove);
  if (isSwap(move)) return t('speech.swapped', { who });
  const board = before.board;
  const names = (cells: number[]) => board.names(cells).join(' ');
  const value = before.game.value;
  const where = move.light.length
    ? `${colourWord(value, 0)} ${names(move.light)}, ${colourWord(value, 1)} ${names(move.dark)}`
    : names(move.footprint.cells);
  return t('speech.placed', { who, kind: kindWord(move.footprint.kind), where });
}
