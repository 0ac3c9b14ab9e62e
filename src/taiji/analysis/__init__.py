"""Looking at positions and games: evaluations with their reasons, and reviews."""

from taiji.analysis.evaluations import Evaluation, Line, evaluate
from taiji.analysis.reasons import MoveReason, explain
from taiji.analysis.review import MARKS, Mark, final_values, to_first_seat, win_prob_loss, classify

__all__ = [
    "MARKS",
    "Evaluation",
    "Line",
    "Mark",
    "MoveReason",
    "evaluate",
    "explain",
    "final_values",
    "to_first_seat",
    "win_prob_loss",
    "classify",
]
