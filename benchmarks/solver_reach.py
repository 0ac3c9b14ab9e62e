"""How long the solver takes for the end of a game of TAIJI: the exact score and every best move.

    python benchmarks/solver_reach.py --empty 20 --positions 20

Moves are played on each board until few squares are empty: at random, which leaves holes, or from the
bottom up, which leaves the most choices. Prints the median and the longest processor time of a
position, on one core.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from itertools import product

from taiji.kernel import Solver, get_kernel
from taiji.rules import State, parse_game

GAMES = ("taiji:size=7", "taiji", "taiji:size=11", "taiji:score=omega", "taiji:groups=3,score=squares")


def end_of_game(text: str, empty: int, bottom_up: bool, rng: random.Random) -> State:
    """Return a position of a game as soon as so few squares are empty; one with choices left."""
    while True:
        state = parse_game(text).start()
        cells = state.current_stage.board.size
        while not state.is_over and cells - 2 * state.ply > empty:
            moves = state.legal()
            if bottom_up:
                lowest = min(move.cells for move in moves)
                moves = [move for move in moves if move.cells == lowest]
            state = state.play(rng.choice(moves))
        if not state.is_over:
            return state


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--empty", type=int, default=20)
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for text, bottom_up in product(GAMES, (False, True)):
        rng, spent = random.Random(given.seed), []
        for _ in range(given.positions):
            state = end_of_game(text, given.empty, bottom_up, rng)
            solver = Solver(get_kernel(state.game))
            began = time.process_time()
            assert solver.solve(state).solved
            spent.append(time.process_time() - began)
        how = "from the bottom up" if bottom_up else "at random"
        median = statistics.median(spent)
        print(f"{text}, {how}: median {median:.3f} s, longest {max(spent):.3f} s", flush=True)


if __name__ == "__main__":
    main()
