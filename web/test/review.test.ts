/** Reviews in the page judge moves as the server does. */

import { expect, test } from 'vitest';
import type { ReviewPly } from '../src/net/types';
import type { SeatReview } from '../src/net/generated/contract';
import { Game } from '../src/rules/game';
import { State } from '../src/rules/state';
import { GameReview } from '../src/think/review';
import { gameDefinitions, runPython } from './python';

/** Random analyses of random games, and the review that Python makes of them. */
const CODE = `
import json, random
from dataclasses import asdict
from taiji.analysis.data import Analysis, Candidate
from taiji.analysis.review import GameReview
from taiji.rules import parse_game
from taiji.analysis.position import SEAT_NAMES
rng, cases = random.Random(5), []
for number in range(20):
    start = state = parse_game("taiji:size=4").start()
    moves, analyses = [], []
    while not state.is_over:
        move, best = rng.choice(state.legal()), rng.choice(state.legal())
        known = rng.random() < 0.9
        analyses.append(Analysis(len(moves), SEAT_NAMES[state.seat_to_move],
            round(rng.random(), 4) if known else None, round(rng.uniform(-9, 9), 2) if known else None,
            False, True, 10, 0.1, "test", (Candidate(best.action, str(best), 1, 1.0, None, 0.5, 0.0, (str(best),)),)))
        moves.append(move)
        state = state.play(move)
    review = GameReview(start, moves)
    for analysis in analyses:
        review.add(analysis)
    plies = [asdict(ply) for ply in review.plies]
    result = review.result()
    cases.append({"moves": [move.action for move in moves], "plies": plies, "first": asdict(result.first),
        "second": asdict(result.second), "turning": result.turning_points})
print(json.dumps(cases))
`;

interface Case {
  moves: number[];
  plies: ReviewPly[];
  first: SeatReview;
  second: SeatReview;
  turning: number[];
}

test('losses, marks, accuracies and turning points are those of the server', () => {
  const game = new Game(gameDefinitions('taiji:size=4')[0]);
  const cases = runPython<Case[]>('-c', CODE);
  for (const { moves, plies, first, second, turning } of cases) {
    const played = moves.map((action) => game.move(action)!);
    const states = [State.start(game)];
    for (const move of played) states.push(states[states.length - 1].play(move));
    const review = new GameReview(states, played);
    for (const { analysis } of plies) review.add(analysis);
    const judged = (list: ReviewPly[]) =>
      list.map(({ played, loss, mark, margin_loss, against }) => [
        played,
        loss,
        mark,
        margin_loss,
        against.map(({ code, params }) => [code, params]),
      ]);
    expect(judged(review.plies)).toEqual(judged(plies));
    expect(review.position).toBeNull();
    expect([review.seat('first'), review.seat('second'), review.turningPoints]).toEqual([
      first,
      second,
      turning,
    ]);
  }
  expect(cases.some(({ turning }) => turning.length)).toBe(true);
});
