"""Scores by seat and how a game ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from taiji.rules.errors import check_type
from taiji.rules.pieces import Seat

Points = int | float
"""A score: an integer, or one with the half point that some games give."""


class Scores(NamedTuple):
    """Points by seat."""

    first: Points
    second: Points

    def of(self, seat: Seat) -> Points:
        """Return one seat's points."""
        check_type("seat", seat, Seat, "a Seat")
        return self[seat]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended; no winner means a draw."""

    winner: Seat | None
    scores: Scores

    def __post_init__(self) -> None:
        check_type("winner", self.winner, (Seat, type(None)), "a Seat or None")
        check_type("scores", self.scores, Scores, "Scores")


def from_half_points(half_points: int) -> Points:
    """Return half points as points: an int if whole, else a float."""
    return half_points / 2 if half_points % 2 else half_points // 2
