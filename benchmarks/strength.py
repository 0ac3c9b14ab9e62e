"""The strength of `mcts`, as pairs of games from the same openings at equal time a move on one thread.

    python benchmarks/strength.py --workers 2 [--only NAME] [--scale 0.1] [--output FOLDER]

Prints a JSON line a contest when it is done, with the score, its 95 % interval and the results by colour.
With --output the games are kept, and the same command goes on where it was stopped.
With more workers than cores the times are no longer true.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

from taiji.arena import Contest, Journal, LocalPool, run_contest
from taiji.arena.report import to_dict
from taiji.players import Limit

CONTESTS = {
    "alpha-beta": ("taiji", ("mcts", "alphabeta"), (0.2, 0.2), 100),
    "tailits": ("tailits", ("mcts", "uct"), (0.2, 0.2), 100),
    "battle-of-lits": ("battle-of-lits", ("mcts", "uct"), (0.2, 0.2), 100),
    "late-battle-of-lits": ("battle-of-lits", ("mcts", "uct"), (0.2, 0.2), 100),
    "uct": ("taiji", ("mcts", "uct"), (0.2, 0.2), 100),
    "double-time": ("taiji", ("mcts", "mcts"), (0.4, 0.2), 100),
}
WHOLE = ("battle-of-lits",)
"""Whole games with the swap, each pair on a board of its own; the others begin after two random plies."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--only", choices=list(CONTESTS))
    parser.add_argument("--scale", type=float, default=1.0, help="multiplies the number of pairs")
    parser.add_argument("--output", type=Path, help="folder for the games")
    given = parser.parse_args()
    pool = LocalPool(given.workers)
    for name, (game, players, seconds, pairs) in CONTESTS.items():
        if given.only not in (None, name):
            continue
        limits = tuple(Limit(seconds=each) for each in seconds)
        number, whole = max(1, round(pairs * given.scale)), name in WHOLE
        contest = Contest(
            game, players, number, limits, opening_plies=0 if whole else 2, seed=11, random_boards=whole
        )
        with tempfile.TemporaryDirectory() as folder:
            journal = Journal((given.output or Path(folder)) / f"{name}.jsonl", contest.fingerprint())
            standings = run_contest(contest, pool, journal, on_result=lambda *_: None)
            journal.close()
        data = to_dict(standings)
        kept = ("game", "players", "limits", "games", "pairings", "by_colour", "forfeits")
        print(json.dumps({"contest": name, **{key: data[key] for key in kept}}), flush=True)
    pool.close()


if __name__ == "__main__":
    main()
