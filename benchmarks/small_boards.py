"""Solve small TAIJI boards exactly and print the table of docs/small-boards.md.

    python benchmarks/small_boards.py --most 20 --workers 2 > docs/small-boards.md

Every board of up to `--most` cells with sides of 2 to 11, every way to score. A board that is not solved
within `--seconds` is printed as open. Boards of 24 and 25 cells take some minutes each.
"""

from __future__ import annotations

import argparse
import sys

from taiji.arena import LocalPool
from taiji.kernel import Kernel, Solver
from taiji.rules import Game, Seat, game_from_dict

SCORES = {
    "sum 1": {"rule": "largest", "groups": 1},
    "sum 2": {"rule": "largest", "groups": 2},
    "sum 3": {"rule": "largest", "groups": 3},
    "OMEGA": {"rule": "omega"},
    "squares 2": {"rule": "squares", "groups": 2},
    "product 2": {"rule": "product", "groups": 2},
}

HEAD = """# Small boards, solved

The value of TAIJI on small boards with best play from the empty board: the margin of Light over Dark. A tie
is Dark's win, so **0** means that Dark wins by the rule and a positive number that Light wins. In brackets:
how many of the first moves keep that value. *sum n* counts the n largest groups; OMEGA multiplies all
groups; *squares 2* and *product 2* take the two largest.

Made by `python benchmarks/small_boards.py{arguments}`; each is a proof by exhaustive search (alpha-beta
over all continuations, see `core/solver.cpp`), not an estimate.
"""


def board(width: int, height: int, score: dict[str, object]) -> Game:
    return game_from_dict(
        {
            "name": f"taiji-{width}x{height}",
            "board": ["." * width] * height,
            "pieces": [{"kind": "taijitu", "shape": ["ld"], "count": width * height // 2}],
            "score": score,
            "tie": "dark",
        }
    )


def solve(task: tuple[int, int, str, float, int]) -> str:
    width, height, score, seconds, memory = task
    game = board(width, height, SCORES[score])
    megabytes = memory if width * height > 16 else min(memory, 32)
    found = Solver(Kernel(game), memory=megabytes).solve(game.start(), seconds=seconds)
    if not found.solved:
        return {Seat.FIRST: "Light wins", Seat.SECOND: "Dark wins", None: "open"}[found.winner]
    first = len(game.start().legal())
    best = f"{len(found.best)}/{first}" if found.best and found.pv else "?"
    print(f"{width}×{height} {score}: {found.nodes:,} positions, {found.seconds:.1f} s", file=sys.stderr)
    return f"**{found.margin:+g}** ({best})" if found.margin else f"**0** ({best})"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--most", type=int, default=16, help="cells of the largest board")
    parser.add_argument("--seconds", type=float, default=3600, help="for each entry")
    parser.add_argument("--memory", type=int, default=512, help="megabytes for each entry")
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    sizes = sorted((w * h, h, w) for h in range(2, 12) for w in range(h, 12) if w * h <= given.most)
    tasks = [(w, h, score, given.seconds, given.memory) for _, h, w in sizes for score in SCORES]
    pool = LocalPool(given.workers)
    results = dict(pool.run(solve, sorted(tasks, key=lambda task: -task[0] * task[1])))
    pool.close()
    print(HEAD.format(arguments=f" --most {given.most}"))
    print("| board |" + "".join(f" {score} |" for score in SCORES))
    print("|---|" + "---|" * len(SCORES))
    for _, h, w in sizes:
        cells = " | ".join(results[w, h, score, given.seconds, given.memory] for score in SCORES)
        print(f"| {w}×{h} | {cells} |")


if __name__ == "__main__":
    main()
