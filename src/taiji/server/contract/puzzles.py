"""Results of people at the puzzles of the package."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from taiji.server.contract.messages import Message, View


class PuzzleTry(Message):
    """The first try at a puzzle: whether it succeeded, and the solver's own rating before it."""

    solved: Annotated[bool, Field(strict=True)]
    rating: Annotated[int, Field(strict=True, ge=0, le=4000)]


class PuzzleRating(View):
    """A puzzle's rating by the results of people; that of the package if there are none."""

    id: str
    rating: int
    tries: int
    solved: int


class PuzzleRatings(View):
    """The puzzles that people have tried."""

    puzzles: list[PuzzleRating]
