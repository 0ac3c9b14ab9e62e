/** The coach: every game has a beginning that is explained, in words that exist, with moves that are legal. */

import { describe, expect, test } from 'vitest';
import { coachNote, suggestion } from '../src/coach/steps';
import en from '../src/i18n/en.json';
import type { Seat } from '../src/rules/definition';
import { Game, isSwap, type Move } from '../src/rules/game';
import { State } from '../src/rules/state';
import { gameDefinitions } from './python';

const GAMES = [
  'taiji:size=7',
  'tailits',
  'battle-of-lits',
  'tailits+taiji',
  'taiji+battle-of-lits:size=5',
] as const;
const definitions = new Map(gameDefinitions(...GAMES).map((one, index) => [GAMES[index], one]));

/** Play a whole game with the first legal placements, and return the notes for a seat. */
function notes(name: (typeof GAMES)[number], you: Seat): (string | null)[] {
  const game = new Game(definitions.get(name)!);
  const states = [State.start(game)];
  const moves: Move[] = [];
  const keys: (string | null)[] = [];
  while (true) {
    const state = states[states.length - 1];
    const note = coachNote(states, moves, you);
    keys.push(note?.key ?? null);
    if (note) expect(Object.keys(en)).toContain(note.key);
    if (note?.ghost) {
      expect(note.ghost.reason).toBeNull();
      expect(note.ghost).toEqual(suggestion(state));
    }
    if (state.isOver) return keys;
    const legal = state.legal().filter((move) => !isSwap(move));
    const move = legal[Math.floor(legal.length / 2)];
    states.push(state.play(move));
    moves.push(move);
  }
}

const said = (keys: (string | null)[]) => [...new Set(keys.filter((key) => key !== null))];

describe('the notes of a first game', () => {
  test.each([
    ['taiji:size=7', ['coach.pair.first', 'coach.groups.counts', 'coach.groups.room', 'coach.hint']],
    [
      'tailits',
      ['coach.wait', 'coach.pieces.first', 'coach.pieces.rules', 'coach.groups.counts', 'coach.hint'],
    ],
    ['battle-of-lits', ['coach.symbols.first', 'coach.symbols.counts', 'coach.pieces.rules', 'coach.hint']],
  ] as const)('%s explains the pieces, what counts, and then is silent', (name, beginning) => {
    const keys = notes(name, 0);
    expect(said(keys)).toEqual([...beginning, 'coach.over']);
    expect(keys.slice(10, -1).every((key) => key === null)).toBe(true);
  });

  test.each([
    ['tailits+taiji', 0, 'coach.pair.above'],
    ['tailits+taiji', 1, 'coach.pair.above'],
    ['taiji+battle-of-lits:size=5', 0, 'coach.symbols.above'],
    ['taiji+battle-of-lits:size=5', 1, 'coach.swap-above'],
  ] as const)('%s explains its second part to seat %i', (name, you, second) => {
    expect(said(notes(name, you))).toContain(second);
  });

  test('the player of TAILITS who begins hears of the centre, the second of Battle of LITS of the swap', () => {
    expect(notes('tailits', 1)[0]).toBe('coach.pieces.centre');
    expect(said(notes('battle-of-lits', 1))).toContain('coach.swap');
  });
});
