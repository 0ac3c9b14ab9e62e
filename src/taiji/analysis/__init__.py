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
    TriedMove,
)
from taiji.analysis.position import analyse, analysis_from_info, analysis_of_end
from taiji.analysis.reasons import explain, explain_against
from taiji.analysis.review import (
    DEFAULT_SECONDS,
    GameReview,
    classify,
    evaluate_try,
    review_game,
    seconds_for,
    summarise,
)

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
    "TriedMove",
    "analyse",
    "analysis_from_info",
    "analysis_of_end",
    "classify",
    "evaluate_try",
    "explain",
    "explain_against",
    "review_game",
    "seconds_for",
    "summarise",
]
