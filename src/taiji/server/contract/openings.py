"""The opening explorer of the server's own games."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from taiji.server.contract.messages import GameText, Message, View

MAX_KEYS = 1000

PositionKey = Annotated[int, Field(strict=True, ge=0, lt=1 << 48)]
"""The key of a position up to symmetry, as `taiji.analysis.explorer.keys` and the page compute it."""


class OpeningQuery(Message):
    """Asks for the games of this server that reached some positions of a game."""

    game: GameText
    keys: Annotated[list[PositionKey], Field(min_length=1, max_length=MAX_KEYS)]


class OpeningStats(View):
    """Games that reached a position, by any order of moves."""

    key: int
    games: int
    light_wins: float
    """A draw counts one half."""
    light_margin: float | None
    """The mean final margin of Light in points over the games that were played to their end."""


class OpeningAnswer(View):
    """The positions of a query that occurred."""

    positions: list[OpeningStats]
