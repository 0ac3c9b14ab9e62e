"""Analysis of positions and games: evaluations with reasons, and reviews."""

from taiji.analysis.data import (
    Analysis,
    Candidate,
    Mark,
    MoveReason,
    PlayedMove,
    Review,
    ReviewPly,
    SeatReview,
)
from taiji.analysis.position import analyse, analysis_from_info, analysis_of_end
from taiji.analysis.reasons import explain
from taiji.analysis.review import DEFAULT_SECONDS, GameReview, classify, review_game

__all__ = [
    "DEFAULT_SECONDS",
    "Analysis",
    "Candidate",
    "GameReview",
    "Mark",
    "MoveReason",
    "PlayedMove",
    "Review",
    "ReviewPly",
    "SeatReview",
    "analyse",
    "analysis_from_info",
    "analysis_of_end",
    "classify",
    "explain",
    "review_game",
]
