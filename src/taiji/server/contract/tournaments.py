"""What requests about tournaments look like."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from taiji.server.contract.messages import ClockChoice, GameText, Message, Name, Secret, StrictInt

Title = Annotated[
    str, StringConstraints(min_length=1, max_length=60, pattern=r"^\S(?:[^\x00-\x1f\x7f]*\S)?$")
]
Score = Annotated[float, Field(ge=0, le=1_000_000_000)]


class NewTournament(Message):
    """What an organiser decides."""

    name: Title
    format: Literal["round-robin", "double-round-robin", "swiss", "knockout", "ladder", "match"] = "swiss"
    game: GameText
    rounds: StrictInt | None = Field(default=None, ge=1, le=30)
    match: bool = True
    clock: ClockChoice | None = None
    rated: bool = False


class JoinTournament(Message):
    """The link's secret, and the name to play under."""

    secret: Secret
    name: Name


class WithdrawRequest(Message):
    """Who leaves, or comes back."""

    player: StrictInt = Field(ge=1, le=2000)
    back: bool = False


class ResultRequest(Message):
    """A result as the organiser decides it: scores a game, the first-named first, or who was absent."""

    round: StrictInt = Field(ge=1, le=99)
    table: StrictInt = Field(ge=1, le=2000)
    scores: list[tuple[Score, Score]] = Field(default=[], max_length=20)
    decision: Literal["first", "second", "draw"] | None = None
    absent: Literal["first", "second", "both"] | None = None
    reason: Annotated[str, StringConstraints(max_length=200)] = ""
