"""Analyses, reviews and records.

`Analysis` and `ReviewPly` are the types of `taiji.analysis`: values are from the view of the seat to move.
"""

from __future__ import annotations

from typing import Literal

from taiji.analysis.data import Analysis, ReviewPly
from taiji.server.contract.messages import SeatName, SeatScores, View

__all__ = ["Analysis", "RecordInfo", "RecordMove", "RecordResult", "ReviewInfo", "ReviewPly", "ReviewState"]

ReviewState = Literal["queued", "running", "done", "cancelled", "failed"]


class ReviewInfo(View):
    """A review: `done` of `total` positions are analysed."""

    id: str
    state: ReviewState
    done: int
    total: int
    game: str
    table: str | None
    record: str | None
    plies: list[ReviewPly]
    error: str | None


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
