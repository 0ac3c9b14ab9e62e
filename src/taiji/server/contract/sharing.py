"""Embedded boards: what a page elsewhere may show of a public game or review."""

from __future__ import annotations

from taiji.analysis.data import Mark
from taiji.server.contract.analysis import RecordNames
from taiji.server.contract.messages import View
from taiji.server.contract.tables import GameResult, Status


class EmbeddedPly(View):
    """How a review judges the move that was played at a ply, and what it prefers."""

    mark: Mark | None
    loss: float | None
    line: list[str]
    """The engine's line from this position, in move notation; empty if it is not known."""


class EmbeddedGame(View):
    """A public game, or a review that its owner shows; `names` are None for guests without a name."""

    path: str
    """The page on this server that shows more."""
    game: str
    edition: str | None
    start: str | None
    moves: list[int]
    names: RecordNames
    status: Status
    result: GameResult | None
    plies: list[EmbeddedPly]
    """One per reviewed position; empty for a game."""
