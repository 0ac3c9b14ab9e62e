"""People: a player's page, whom one follows, puzzles of an account, and pairings."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from taiji.server.contract.clocks import ClockChoice
from taiji.server.contract.messages import GameText, Message, RequestId, StrictInt, View
from taiji.server.contract.tables import TableSummary

PlayerType = Literal["person", "bot"]
PuzzleRating = Annotated[int, Field(strict=True, ge=0, le=4000)]
Count = Annotated[int, Field(strict=True, ge=0, le=1_000_000)]


class PairRequest(Message):
    """A game with whoever wants the same one; a repeated `id` leads to the same table."""

    id: RequestId
    game: GameText
    clock: ClockChoice | None = None
    rated: bool = False


class PuzzleProgress(Message):
    """What a browser knows of the puzzles that its user has tried; `last_day` counts from 2026-01-01."""

    rating: PuzzleRating
    tries: Count
    streak: Count
    last_day: StrictInt | None = Field(default=None, ge=0, le=1_000_000)


class PuzzleSharing(Message):
    """Whether the player's page shows the puzzle rating."""

    shared: bool


class PuzzleStanding(View):
    """The puzzles of an account: the report with the most tries counts."""

    rating: int
    tries: int
    streak: int
    last_day: int | None
    shared: bool


class Standing(View):
    """Games won, drawn and lost."""

    won: int
    drawn: int
    lost: int


class GameStanding(Standing):
    """A player's results at a game."""

    game: str


class OpponentStanding(Standing):
    """A player's results against one other, or against all guests and deleted accounts (`name` is None)."""

    name: str | None
    account_type: PlayerType


class PlayerRating(View):
    """A player's rating at a game."""

    game: str
    rating: float
    deviation: float
    games: int
    provisional: bool


class PublicPuzzles(View):
    """The puzzle rating that a player shows; the browser reports it."""

    rating: int
    tries: int


class PlayerPage(View):
    """A player's public page."""

    name: str
    account_type: PlayerType
    since: int
    online: bool
    followers: int | None
    """Told to the player alone; anybody else could find out by it who is blocked."""
    following: bool
    """Whether the viewer follows the player."""
    blocked: bool
    """Whether the viewer has blocked the player."""
    block_id: str | None
    """The viewer's block of the player, which the viewer may lift."""
    yourself: bool
    ratings: list[PlayerRating]
    games: list[GameStanding]
    opponents: list[OpponentStanding]
    puzzles: PublicPuzzles | None
    playing: list[TableSummary]
    """Public games in progress, the latest first."""
    last_game: TableSummary | None
    """The last public game between the viewer and the player."""


class FollowedPlayer(View):
    """A player whom the viewer follows; `playing` is a public game in progress."""

    name: str
    account_type: PlayerType
    online: bool
    playing: str | None


class FollowedPlayers(View):
    """The players whom the viewer follows, those online first."""

    following: list[FollowedPlayer]
