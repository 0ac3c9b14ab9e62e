"""Analysis of positions and games: evaluations with reasons, and reviews."""

from taiji.analysis.data import Analysis, Candidate, Mark, MoveReason, PlayedMove, ReviewPly
from taiji.analysis.position import analyse, analysis_from_info, analysis_of_end
from taiji.analysis.reasons import explain
from taiji.analysis.review import classify, review_game, review_ply, win_prob_loss

__all__ = [
    "Analysis",
    "Candidate",
    "Mark",
    "MoveReason",
    "PlayedMove",
    "ReviewPly",
    "analyse",
    "analysis_from_info",
    "analysis_of_end",
    "classify",
    "explain",
    "review_game",
    "review_ply",
    "win_prob_loss",
]
