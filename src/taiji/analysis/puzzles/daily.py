"""The puzzle of the day: the same for everybody, from the date alone.

The web app computes it in the same way (`web/src/puzzles/daily.ts`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from math import gcd

from taiji.analysis.puzzles.data import Puzzle
from taiji.analysis.puzzles.files import load_set, shipped_sets

EPOCH = date(2026, 1, 1)


def daily_puzzle(day: date) -> Puzzle:
    """Return the puzzle of a day: the sets take turns, and each gives its puzzles in a mixed order."""
    names = list(shipped_sets())
    number = (day - EPOCH).days
    return pick(load_set(names[number % len(names)]), number // len(names))


def pick(puzzles: Sequence[Puzzle], turn: int) -> Puzzle:
    """Return the puzzle of a turn; all of them come once before any comes again."""
    size = len(puzzles)
    return puzzles[turn * stride(size) % size]


def stride(size: int) -> int:
    """Return a step through a set that visits every puzzle: near the golden section, coprime to the size."""
    step = max(1, round(size * 0.618))
    while size > 1 and gcd(step, size) != 1:
        step += 1
    return step
