"""What the solver spends on the end of games with placement constraints, in positions and processor time.

    python benchmarks/solver_ends.py write battle-of-lits ends.jsonl --plies 6,7,8 --number 30
    python benchmarks/solver_ends.py measure ends.jsonl --modes winner,one,find --nodes 10000000

`write` plays quick games, on a different board each, until random playouts last as many plies as asked
for, and keeps the moves. `measure` prints a line for each position and the geometric means. Builds are
compared by measuring the same file with each, in turn.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from pathlib import Path

from taiji.kernel import Kernel, Position, Search, SearchLimits, SearchOptions, Solver
from taiji.players.endgame import plies_left
from taiji.rules import parse_game

MEMORY = 64 << 20
QUICK = SearchLimits(playouts=400)
OPENING = 2
SEEDED = "battle-of-lits"
"""The game of this name is played on a board by number."""


def end_of_game(kernel: Kernel, plies: float, rng: random.Random) -> list[int] | None:
    """Play two random moves and then quick searches until so few plies are left; None if it is over."""
    position, history = kernel.start(), []
    search = Search(kernel, SearchOptions(seed=rng.randrange(1 << 30), memory=MEMORY))
    last_stage = len(kernel.game.stages) - 1
    while not position.is_over:
        if (
            len(history) > OPENING
            and position.core.stage_index == last_stage
            and plies_left(position) <= plies
        ):
            return history
        action = (
            rng.choice(position.legal()) if len(history) < OPENING else search.run(position, QUICK).action
        )
        position.play(action)
        history.append(action)
    return None


def write(text: str, path: Path, plies: list[float], number: int, seed: int) -> None:
    rng = random.Random(seed)
    with path.open("a") as file:
        for index in range(number):
            name = (
                f"{text}:board={index + 1}"
                if text.split(":", maxsplit=1)[0] == SEEDED and ":" not in text
                else text
            )
            kernel, wanted, moves = Kernel(parse_game(name)), plies[index % len(plies)], None
            while not moves:
                moves = end_of_game(kernel, wanted, rng)
            file.write(json.dumps({"game": name, "plies": wanted, "moves": moves}) + "\n")
            file.flush()


def measure_one(mode: str, kernel: Kernel, position: Position, nodes: int) -> dict:
    """Solve a position from scratch; the answer says what was found."""
    solver, first = Solver(kernel), position.legal()
    began = time.process_time()
    if mode == "find":
        check = solver.find_win(position, first, nodes=nodes)
        solved = check.winning_move is not None or len(check.refuted) == len(set(first))
        searched, answer = check.nodes, check.winning_move is not None
    else:
        found = solver.solve(position, nodes=nodes, all_best=mode == "all", winner_only=mode == "winner")
        solved, searched = found.solved, found.nodes
        answer = None if found.winner is None else found.winner.name, found.margin
    spent = time.process_time() - began
    return {"solved": solved, "positions": searched, "seconds": spent, "answer": answer if solved else None}


def measure(path: Path, modes: list[str], nodes: int, quiet: bool) -> None:
    rows = [json.loads(line) for line in path.open()]
    for mode in modes:
        seconds, searched, open_ = [], [], 0
        for index, row in enumerate(rows):
            kernel = Kernel(parse_game(row["game"]))
            position = kernel.start()
            for action in row["moves"]:
                position.play(action)
            result = measure_one(mode, kernel, position, nodes)
            seconds.append(max(result["seconds"], 1e-5))
            searched.append(max(result["positions"], 1))
            open_ += not result["solved"]
            if not quiet:
                line = {"mode": mode, "index": index, "plies": row["plies"], **result}
                print(json.dumps(line), flush=True)
        print(
            f"{mode}: geometric mean {_mean(searched):,.0f} positions, {1000 * _mean(seconds):.2f} ms; "
            f"sum {sum(searched):,} positions, {sum(seconds):.2f} s; {open_} of {len(rows)} not solved",
            flush=True,
        )


def _mean(values: list[float]) -> float:
    """Return the geometric mean."""
    return math.exp(sum(map(math.log, values)) / len(values))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    what = parser.add_subparsers(dest="what", required=True)
    making = what.add_parser("write")
    making.add_argument("game")
    making.add_argument("file", type=Path)
    making.add_argument("--plies", default="6,7,8")
    making.add_argument("--number", type=int, default=30)
    making.add_argument("--seed", type=int, default=1)
    measuring = what.add_parser("measure")
    measuring.add_argument("file", type=Path)
    measuring.add_argument("--modes", default="winner,one,find")
    measuring.add_argument("--nodes", type=int, default=10_000_000)
    measuring.add_argument("--quiet", action="store_true", help="print the means alone")
    given = parser.parse_args()
    if given.what == "write":
        write(given.game, given.file, [float(n) for n in given.plies.split(",")], given.number, given.seed)
    else:
        measure(given.file, given.modes.split(","), given.nodes, given.quiet)


if __name__ == "__main__":
    main()
