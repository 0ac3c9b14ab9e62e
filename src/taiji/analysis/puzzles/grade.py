"""How hard a puzzle is: the rating at which half of the tries find its first move.

A ladder of tree searches tries the position several times. Its step n has the nominal rating 600 + 150 n;
the rating of the puzzle is the most probable one given how often each step finds the move. The steps are
those by which the shipped puzzles were rated: they stay as they are when the levels change.
"""

from __future__ import annotations

from dataclasses import replace
from math import log

from taiji.analysis.puzzles.data import MAX_RATING, MIN_RATING
from taiji.kernel import Kernel, Position, Search, SearchLimits
from taiji.players.endgame import Endgame, SolverPlan
from taiji.players.presets import search_preset
from taiji.rules import Game, State

TRIES = 5
FIRST_STEP = 2
_STEPS: dict[str, list[tuple[int, float]]] = {
    "taiji": [(30, 0.418), (32, 0.035), (74, 0), (169, 0), (337, 0), (665, 0), (1691, 0), (6305, 0)],
    "tailits": [(30, 0.297), (74, 0), (181, 0), (438, 0), (1185, 0), (3782, 0), (8000, 0), (8000, 0)],
    "battle-of-lits": [
        *[(30, 0.574), (30, 0.314), (34, 0.107), (47, 0.031)],
        *[(69, 0), (105, 0), (178, 0), (532, 0)],
    ],
    "tailits+taiji": [(30, 0.321), (60, 0), (119, 0), (180, 0), (265, 0), (543, 0), (1389, 0), (5561, 0)],
    "taiji+battle-of-lits": [
        *[(31, 0.166), (48, 0), (92, 0), (185, 0)],
        *[(358, 0), (694, 0), (1325, 0), (5244, 0)],
    ],
}
"""For each game the playouts and the probability of a random move, from `FIRST_STEP` on."""
PRIOR_RATING, PRIOR_DEVIATION = 1500.0, 500.0
STEP = 10


def step_rating(number: int) -> int:
    """Return the nominal rating of a step."""
    return 600 + 150 * number


class Grader:
    """Rates positions of one game."""

    def __init__(self, kernel: Kernel) -> None:
        options = search_preset(kernel.game)
        self._game = kernel.game
        self._searches = [
            Search(kernel, replace(options, seed=seed, threads=1, memory=32 << 20))
            for seed in range(1, TRIES + 1)
        ]
        self._endgame = Endgame(kernel)

    def rate(self, state: State, position: Position, key: int) -> int:
        """Return the rating of a puzzle with this first move."""
        shares: list[tuple[int, float]] = []
        choices = len(position.legal())
        steps = _steps(self._game)
        for number, (playouts, random_rate) in enumerate(steps, FIRST_STEP):
            share = self._share(state, position, key, playouts)
            shares.append((number, (1 - random_rate) * share + random_rate / choices))
            if len(shares) >= 2 and shares[-1][1] == shares[-2][1] == 1:
                break
        shares += [(FIRST_STEP + index, shares[-1][1]) for index in range(len(shares), len(steps))]
        return fit(shares)

    def _share(self, state: State, position: Position, key: int, playouts: int) -> float:
        """Return the fraction of tries that find the key: all if the step's solver proves the position."""
        if self._endgame.plan(state, position, None, playouts) is SolverPlan.SOLVE and self._endgame.solve(
            state, position, None, playouts, None
        ):
            return 1.0
        hits = 0
        for search in self._searches:
            search.reset()
            hits += search.run(position, SearchLimits(playouts=playouts)).action == key
        return hits / len(self._searches)


def _steps(game: Game) -> list[tuple[int, float]]:
    """Return the steps of a game; custom games use those of TAIJI."""
    return _STEPS.get(str(game).partition(":")[0], _STEPS["taiji"])


def fit(shares: list[tuple[int, float]]) -> int:
    """Return the most probable rating, given the fraction of tries in which each step finds the move."""

    def log_likelihood(rating: int) -> float:
        total = -(((rating - PRIOR_RATING) / PRIOR_DEVIATION) ** 2) / 2
        for number, share in shares:
            expected = 1 / (1 + 10 ** ((rating - step_rating(number)) / 400))
            total += TRIES * (share * log(expected) + (1 - share) * log(1 - expected))
        return total

    return max(range(MIN_RATING, MAX_RATING + 1, STEP), key=log_likelihood)
