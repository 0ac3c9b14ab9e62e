"""Measure the levels: what a spec is worth in Elo, and whether the ladder of a game is even.

    python benchmarks/levels.py calibrate GAME --workers 2     find ten specs at even distances in Elo
    python benchmarks/levels.py ladder GAME --workers 2        play each level against the next one

Neighbours on a grid of specs play each other; Bradley-Terry ratings of the chain give a curve of Elo against
spec, and the ten levels are read off that curve at even distances.
"""

from __future__ import annotations

import argparse
import json
import sys

from taiji.arena import GameTask, LocalPool, PairScore, balanced_opening, bradley_terry, run_game_task
from taiji.players import Limit
from taiji.rules import parse_game

GRID = [
    *[(30, blunder_rate) for blunder_rate in (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)],
    *[(playouts, 0.0) for playouts in (30, 60, 120, 250, 500, 1000, 2000, 4000, 8000, 16000, 32000)],
]


def text_of(spec: tuple[int, float]) -> str:
    return f"level:playouts={spec[0]},lapse={spec[1]:.3g}"


def fixtures(game: str, players: list[str], pairs: int, reach: int, seed: int):
    """Each player meets the next `reach` ones, both colours from the same openings."""
    value = parse_game(game)
    for number in range(pairs):
        opening = tuple(move.action for move in balanced_opening(value, 2, seed * 1000 + number))
        for a in range(len(players)):
            for b in range(a + 1, min(len(players), a + 1 + reach)):
                for turn, (one, two) in enumerate(((a, b), (b, a))):
                    key = f"{number}.{a}-{b}.{turn}"
                    yield GameTask(
                        key, game, players[one], players[two], (Limit(), Limit()), opening, number * 2 + turn
                    )


def play(game: str, players: list[str], pairs: int, reach: int, workers: int, seed: int):
    """Return for each meeting the mean score of each pair of games, from the lower player's side."""
    pool = LocalPool(workers)
    halves: dict[tuple[int, int], dict[int, list[float]]] = {}
    todo = list(fixtures(game, players, pairs, reach, seed))
    for done, (fixture, result) in enumerate(pool.run(run_game_task, todo), 1):
        number, meeting, turn = fixture.key.split(".")
        a, b = (int(part) for part in meeting.split("-"))
        points = 0.5 if result.winner is None else float(result.winner == int(turn))
        halves.setdefault((a, b), {}).setdefault(int(number), []).append(points)
        if done % 50 == 0:
            print(f"{done}/{len(todo)}", file=sys.stderr)
    pool.close()
    return {
        meeting: PairScore(tuple(sum(p) / 2 for p in pairs_of.values() if len(p) == 2), 2 * len(pairs_of))
        for meeting, pairs_of in halves.items()
    }


def calibrate(game: str, pairs: int, workers: int) -> None:
    players = [text_of(spec) for spec in GRID]
    tallies = play(game, players, pairs, 3, workers, seed=1)
    scores = {(players[a], players[b]): (t.score * t.games, float(t.games)) for (a, b), t in tallies.items()}
    rating = {r.player: r.elo for r in bradley_terry(players, scores)}
    curve = [rating[player] for player in players]
    for player, elo in zip(players, curve, strict=True):
        print(f"# {elo:+7.0f}  {player}", file=sys.stderr)
    # A rating that dips by chance is lifted to the one before it: the curve must rise.
    for index in range(1, len(curve)):
        curve[index] = max(curve[index], curve[index - 1] + 1)
    step = (curve[-1] - curve[0]) / 9
    print(json.dumps({game: [list(at(curve, curve[0] + step * n)) for n in range(10)], "step": round(step)}))


def at(curve: list[float], elo: float) -> tuple[int, float]:
    """Read the spec of an Elo off the curve, between its neighbours on the grid."""
    for index in range(1, len(curve)):
        if elo <= curve[index] or index == len(curve) - 1:
            share = (elo - curve[index - 1]) / (curve[index] - curve[index - 1])
            share = min(1.0, max(0.0, share))
            (p0, l0), (p1, l1) = GRID[index - 1], GRID[index]
            return round(p0 * (p1 / p0) ** share), round(l0 + (l1 - l0) * share, 3)
    raise AssertionError


def ladder(game: str, pairs: int, workers: int, lowest: int, highest: int) -> None:
    """Play each level against the next one and print a line a step as soon as it is known."""
    for level in range(lowest, highest):
        tallies = play(game, [f"level:{level}", f"level:{level + 1}"], pairs, 1, workers, seed=2)
        (tally,) = tallies.values()
        row = {"game": game, "level": level + 1, "against": level, "games": tally.games}
        low, high = 1 - tally.interval[1], 1 - tally.interval[0]
        row |= {"score": round(1 - tally.score, 3), "score_95": [round(low, 3), round(high, 3)]}
        print(json.dumps({**row, "elo": round(-tally.elo[0])}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["calibrate", "ladder"])
    parser.add_argument("game")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--lowest", type=int, default=1, help="the level at which the ladder begins")
    parser.add_argument("--highest", type=int, default=10, help="the level at which it ends")
    given = parser.parse_args()
    if given.what == "calibrate":
        calibrate(given.game, given.pairs, given.workers)
    else:
        ladder(given.game, given.pairs, given.workers, given.lowest, given.highest)


if __name__ == "__main__":
    main()
