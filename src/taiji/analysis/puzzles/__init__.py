"""Puzzles: positions with exactly one right move, proven by the solver and graded by the levels.

`maker` finds and `proof` checks them; both load the engine, which solving does not need.
"""

from taiji.analysis.puzzles.attempt import Attempt, Verdict
from taiji.analysis.puzzles.daily import daily_puzzle
from taiji.analysis.puzzles.data import GOALS, THEMES, Goal, Puzzle, PuzzleError, parse_puzzle
from taiji.analysis.puzzles.files import PuzzleWriter, load_set, read_puzzles, shipped_sets

__all__ = [
    "GOALS",
    "THEMES",
    "Attempt",
    "Goal",
    "Puzzle",
    "PuzzleError",
    "PuzzleWriter",
    "Verdict",
    "daily_puzzle",
    "load_set",
    "parse_puzzle",
    "read_puzzles",
    "shipped_sets",
]
