"""Analyses, reviews and records.

`Analysis` and `ReviewPly` are the types of `taiji.analysis`: values are from the view of the seat to move.
"""

from __future__ import annotations

from typing import Literal

from taiji.analysis.data import Analysis, ReviewPly, SeatReview, TriedMove
from taiji.server.contract.messages import SeatName, SeatScores, View

__all__ = [
    "Analysis",
    "RecordInfo",
    "RecordMove",
    "RecordResult",
    "ReviewInfo",
    "ReviewPly",
    "ReviewState",
    "SeatReview",
    "StoredReview",
    "TriedMove",
]

ReviewState = Literal["queued", "running", "done", "cancelled", "failed"]


class ReviewInfo(View):
    """A review: `done` of `total` positions are analysed.

    `first` and `second` say how well the seats played, and `turning_points` which plies gave the lead away,
    as far as the review has come. Only its owner sees a review that is not `shared`.
    """

    id: str
    state: ReviewState
    done: int
    total: int
    game: str
    start: str | None
    moves: list[int]
    table: str | None
    record: str | None
    shared: bool
    yours: bool
    first: SeatReview
    second: SeatReview
    turning_points: list[int]
    plies: list[ReviewPly]
    error: str | None


class StoredReview(View):
    """The newest finished review of a table or a record that the user may see; None if there is none."""

    review: ReviewInfo | None


class RecordMove(View):
    """A move of a record."""

    action: int
    text: str


class RecordResult(View):
    """The result of a record; `ended_by` is its termination."""

    winner: SeatName | None
    ended_by: str
    scores: SeatScores


class RecordNames(View):
    """The players' names by seat, None if unknown."""

    first: str | None
    second: str | None


class RecordInfo(View):
    """A record; `start` is a position text unless the record begins at the start of its game."""

    id: str
    game: str
    start: str | None
    names: RecordNames
    moves: list[RecordMove]
    result: RecordResult | None
    scores: SeatScores
    over: bool
    date: str | None
    games: int
