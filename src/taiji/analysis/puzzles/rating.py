"""Ratings of puzzles by the results of people: each first try is a game between the solver and the puzzle."""

from __future__ import annotations

MAX_SHIFT = 400.0
"""A puzzle stays within this distance of its shipped rating."""
_FIRST_STEP, _LAST_STEP, _HALF_STEP_TRIES = 40.0, 8.0, 10


def expected_success(solver: float, puzzle: float) -> float:
    """Return the probability that a solver with this rating finds the solution at the first try."""
    return 1 / (1 + 10 ** ((puzzle - solver) / 400))


def rate_puzzle(shipped: float, current: float, tries: int, solver: float, *, solved: bool) -> float:
    """Return a puzzle's rating after one more first try; it moves less the more tries it has had."""
    step = max(_LAST_STEP, _FIRST_STEP / (1 + tries / _HALF_STEP_TRIES))
    after = current + step * (expected_success(solver, current) - solved)
    return min(shipped + MAX_SHIFT, max(shipped - MAX_SHIFT, after))
