"""Judge settings of the search by positions in which few moves win: cheaper by far than games.

    python benchmarks/critical.py make battle-of-lits bol.jsonl --plies 7,8 --number 80
    python benchmarks/critical.py judge battle-of-lits bol.jsonl "" "uct" "candidates=3" --playouts 4000

`make` plays short games by quick searches and keeps the positions that the solver finds won by few of the
moves; `judge` counts how often a setting, written as for duel.py, chooses one of those.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from dataclasses import replace
from pathlib import Path

from duel import setting

from taiji.kernel import Kernel, Position, Search, SearchLimits, SearchOptions, Solver
from taiji.rules import parse_game

MEMORY = 64 << 20
QUICK = SearchLimits(playouts=400)
NODES = 3_000_000
FEW = 0.3
OPENING = 2


def reach(kernel: Kernel, plies: int, rng: random.Random) -> tuple[Position, list[int]]:
    """Play two random moves and then quick searches; the game may be over."""
    position, history = kernel.start(), []
    search = Search(kernel, SearchOptions(seed=rng.randrange(1 << 30), memory=MEMORY))
    for ply in range(plies):
        if position.is_over:
            break
        action = rng.choice(position.legal()) if ply < OPENING else search.run(position, QUICK).action
        position.play(action)
        history.append(action)
    return position, history


def winning_moves(kernel: Kernel, position: Position) -> list[int] | None:
    """Return every winning move; None if the solver does not decide each move within its limit."""
    solver, mover, wins = Solver(kernel), position.seat_to_move, []
    for action in position.legal():
        after = position.copy()
        after.play(action)
        if after.is_over:
            winner = after.winner()
        else:
            solution = solver.solve(after, nodes=NODES, winner_only=True, all_best=False)
            if not solution.solved:
                return None
            winner = solution.winner
        wins += [action] if winner is mover else []
    return wins


def make(kernel: Kernel, path: Path, plies: list[int], number: int, seed: int) -> None:
    rng = random.Random(seed)
    found = 0
    with path.open("a") as file:
        while found < number:
            position, history = reach(kernel, rng.choice(plies), rng)
            if position.is_over:
                continue
            wins = winning_moves(kernel, position)
            if wins and len(wins) <= FEW * len(position.legal()):
                file.write(json.dumps({"moves": history, "wins": wins}) + "\n")
                file.flush()
                found += 1


def judge(kernel: Kernel, path: Path, settings: list[str], playouts: int) -> None:
    rows = [json.loads(line) for line in path.open()]
    for text in settings:
        options, factor = setting(text, kernel.game)
        right, began = 0, time.process_time()
        for seed, row in enumerate(rows):
            position = kernel.start()
            for action in row["moves"]:
                position.play(action)
            search = Search(kernel, replace(options, seed=seed, memory=MEMORY))
            right += search.run(position, SearchLimits(playouts=int(playouts * factor))).action in row["wins"]
        spent = 1000 * (time.process_time() - began) / len(rows)
        print(
            f"{100 * right / len(rows):5.1f} % of {len(rows)} right, {spent:.1f} ms each  [{text}]",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["make", "judge"])
    parser.add_argument("game")
    parser.add_argument("file", type=Path)
    parser.add_argument("settings", nargs="*", default=[""])
    parser.add_argument("--plies", default="7,8")
    parser.add_argument("--number", type=int, default=80)
    parser.add_argument("--playouts", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=2)
    given = parser.parse_args()
    kernel = Kernel(parse_game(given.game))
    if given.what == "make":
        make(kernel, given.file, [int(ply) for ply in given.plies.split(",")], given.number, given.seed)
    else:
        judge(kernel, given.file, given.settings, given.playouts)


if __name__ == "__main__":
    main()
