"""What clients ask for: tables, links, records, analysis and reviews."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from taiji.notation.positions import MAX_POSITION_CHARS
from taiji.server.contract.clocks import ClockChoice
from taiji.server.contract.messages import (
    MAX_MOVES,
    AccountName,
    ChosenMove,
    GameText,
    Level,
    Message,
    Secret,
    StrictInt,
)
from taiji.server.contract.visible_text import Name

ItemId = Annotated[str, StringConstraints(max_length=16)]
PositionText = Annotated[str, StringConstraints(min_length=1, max_length=MAX_POSITION_CHARS)]


class NewTable(Message):
    """A table to create."""

    game: GameText
    opponent: Literal["computer", "link", "open", "player"] = "computer"
    player: AccountName | None = None
    level: Level | None = None
    colour: Literal["random", "light", "dark"] = "random"
    clock: ClockChoice | None = None
    match: bool | None = None
    takebacks: bool = True
    rated: bool = False

    @model_validator(mode="after")
    def _fits_together(self) -> NewTable:
        if (self.opponent == "player") != (self.player is not None):
            raise ValueError("'player' is required if, and allowed only if, 'opponent' is 'player'")
        if self.level is not None and self.opponent != "computer":
            raise ValueError("'level' is allowed only if 'opponent' is 'computer'")
        if self.rated and self.opponent == "computer":
            raise ValueError("games against the computer cannot be rated")
        return self


class JoinBySecret(Message):
    """The secret of a join link."""

    secret: Secret


class QrPath(Message):
    """A path of this server to encode as a QR code."""

    path: Annotated[str, StringConstraints(min_length=1, max_length=300, pattern=r"^/[!-~]*$")]


class AnalysisRequest(Message):
    """A position to analyse: the moves after `start`, or after the start of the game."""

    game: GameText
    start: PositionText | None = None
    moves: list[ChosenMove] = Field(default=[], max_length=MAX_MOVES)
    seconds: float = Field(default=2, ge=0.1, le=10)
    lines: StrictInt = Field(default=3, ge=1, le=5)


class SeatNames(Message):
    """The players' names."""

    first: Name | None = None
    second: Name | None = None


class NewRecord(Message):
    """A record to store, as the text of a file or as moves."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=200_000)] | None = None
    index: StrictInt = Field(default=0, ge=0, le=100_000)
    game: GameText | None = None
    moves: list[ChosenMove] = Field(default=[], max_length=MAX_MOVES)
    names: SeatNames = SeatNames()

    @model_validator(mode="after")
    def _one_of_two(self) -> NewRecord:
        if (self.text is None) == (self.game is None):
            raise ValueError("record: both or neither (expected either 'text', or 'game' with 'moves')")
        return self


class NewReview(Message):
    """A finished game or a record to review."""

    table: ItemId | None = None
    record: ItemId | None = None
    depth: Literal["quick", "normal", "deep"] = "normal"

    @model_validator(mode="after")
    def _one_of_two(self) -> NewReview:
        if (self.table is None) == (self.record is None):
            raise ValueError("review: both or neither (expected either 'table' or 'record')")
        return self


class ReviewChange(Message):
    """Who may see a review: everyone with its link, or only its owner."""

    shared: bool


class MoveTry(Message):
    """A move that the reader of a review tries in its position after `ply` moves."""

    ply: StrictInt = Field(ge=0, le=MAX_MOVES)
    move: ChosenMove
