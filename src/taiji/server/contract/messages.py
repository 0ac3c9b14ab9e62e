"""What all messages have in common: their base classes, field types and limits."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, WithJsonSchema

PROTOCOL = 2
MAX_FRAME_BYTES = 16_384
MAX_BODY_BYTES = 262_144
MAX_GAME_TEXT_CHARS = 400
MAX_MOVES = 1000

RequestId = Annotated[str, StringConstraints(min_length=1, max_length=40)]
AccountName = Annotated[str, StringConstraints(min_length=2, max_length=24, pattern=r"^[A-Za-z0-9_-]+$")]
Password = Annotated[str, StringConstraints(min_length=8, max_length=200)]
GameText = Annotated[str, StringConstraints(min_length=1, max_length=MAX_GAME_TEXT_CHARS)]
MoveText = Annotated[str, StringConstraints(min_length=1, max_length=60)]
ActionId = Annotated[int, Field(strict=True, ge=0, le=1_000_000)]
ChosenMove = ActionId | MoveText
Secret = Annotated[str, StringConstraints(min_length=22, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Level = Annotated[int, Field(strict=True, ge=1, le=10)]
StrictInt = Annotated[int, Field(strict=True)]

SeatName = Literal["first", "second"]
MatchRuleName = Literal["nestorgames", "blue-panther"]
AccountType = Literal["person", "computer", "bot"]
Points = Annotated[int | float, WithJsonSchema({"type": "number"})]
"""A score; whole points stay integers."""


class Message(BaseModel):
    """A request or a client's frame: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class View(BaseModel):
    """A part of an answer, of a server's frame or of a stored event; immutable."""

    model_config = ConfigDict(frozen=True, extra="ignore", json_schema_serialization_defaults_required=True)


class SeatScores(View):
    """Points by seat."""

    first: Points
    second: Points
