"""Looking at positions and games: evaluations with their reasons, and reviews."""

from taiji.analysis.evaluations import Evaluation, Line, evaluate
from taiji.analysis.reasons import Why, explain
from taiji.analysis.review import MARKS, Mark, final_values, for_first, loss, mark

__all__ = [
    "MARKS",
    "Evaluation",
    "Line",
    "Mark",
    "Why",
    "evaluate",
    "explain",
    "final_values",
    "for_first",
    "loss",
    "mark",
]
