/** The reasons for and against moves are those of Python, in random games of every kind. */

import { describe, expect, test } from 'vitest';
import { explain, explainAgainst } from '../src/engine/reasons';
import type { MoveReason } from '../src/net/generated/contract';
import { Game } from '../src/rules/game';
import { State } from '../src/rules/state';
import { gameDefinitions, runPython } from './python';

const GAMES = [
  'taiji:size=7',
  'taiji:size=6,score=omega',
  'tailits',
  'battle-of-lits',
  'tailits+taiji',
  'taiji+battle-of-lits:size=6',
];

const CODE = `
import json, random, sys
from taiji.analysis.reasons import explain, explain_against
from taiji.rules import parse_game
rng, games = random.Random(11), []
plain = lambda reasons: [[one.code, sorted(one.cells), one.params] for one in reasons]
for name in sys.argv[1:]:
    plies = []
    for _ in range(4):
        state = parse_game(name).start()
        moves = []
        while not state.is_over:
            legal = state.legal()
            move, best = rng.choice(legal), rng.choice(legal)
            after, better = state.play(move), state.play(best)
            reply = None if after.is_over else rng.choice(after.legal())
            line = [best] if better.is_over else [best, rng.choice(better.legal())]
            plies.append({"moves": list(moves), "move": move.action, "reply": reply and reply.action,
                "best": [one.action for one in line], "reasons": plain(explain(state, move)),
                "against": plain(explain_against(state, move, reply, line))})
            moves.append(move.action)
            state = after
    games.append(plies)
print(json.dumps(games))
`;

interface Ply {
  moves: number[];
  move: number;
  reply: number | null;
  best: number[];
  reasons: unknown[];
  against: unknown[];
}

const definitions = gameDefinitions(...GAMES);
const played = runPython<Ply[][]>('-c', CODE, ...GAMES);
const plain = (reasons: MoveReason[]) => reasons.map(({ code, cells, params }) => [code, cells, params]);

describe('reasons', () => {
  test.each(GAMES.map((name, index) => [name, index] as const))('%s', (_name, index) => {
    const game = new Game(definitions[index]);
    const at = (action: number) => game.move(action)!;
    let state = State.start(game);
    for (const { moves, move, reply, best, reasons, against } of played[index]) {
      state = moves.length ? state.play(at(moves[moves.length - 1])) : State.start(game);
      expect(plain(explain(state, at(move)))).toEqual(reasons);
      const answer = reply === null ? null : at(reply);
      expect(plain(explainAgainst(state, at(move), answer, best.map(at)))).toEqual(against);
    }
  });

  test('a swap, and every other kind', () => {
    const codes = new Set(played.flat().flatMap(({ reasons }) => reasons.map((one) => (one as [string])[0])));
    expect(codes.size).toBe(13);
    const game = new Game(definitions[GAMES.indexOf('battle-of-lits')]);
    const start = State.start(game);
    expect(plain(explain(start.play(start.legal()[0]), game.swap!))).toEqual([['swap', [], {}]]);
  });
});
