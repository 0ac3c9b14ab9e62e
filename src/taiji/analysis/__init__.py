"""Looking at positions and games: evaluations with their reasons, and reviews."""

from taiji.analysis.evaluations import Evaluation, Line, evaluate
from taiji.analysis.reasons import MoveReason, explain
from taiji.analysis.review import MARKS, Mark, classify, final_values, to_first_seat, win_prob_loss

__all__ = [
    "MARKS",
    "Evaluation",
    "Line",
    "Mark",
    "MoveReason",
    "classify",
    "evaluate",
    "explain",
    "final_values",
    "to_first_seat",
    "win_prob_loss",
]
