"""The typed messages of the wire contract: what requests and frames must look like."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, model_validator

PROTOCOL = 1
MAX_FRAME_BYTES = 16_384
MAX_BODY_BYTES = 262_144
MAX_GAME_TEXT_CHARS = 400
MAX_MOVES = 1000

RequestId = Annotated[str, StringConstraints(min_length=1, max_length=40)]
INVISIBLE_CHARS = "\\x00-\\x1f\\x7f-\\x9f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff"
"""Characters that cannot be seen, or that turn the text around them: a name has none."""
DISPLAY_NAME = f"^[^\\s{INVISIBLE_CHARS}](?:[^{INVISIBLE_CHARS}]*[^\\s{INVISIBLE_CHARS}])?$"
Name = Annotated[str, StringConstraints(min_length=1, max_length=24, pattern=DISPLAY_NAME)]
AccountName = Annotated[str, StringConstraints(min_length=2, max_length=24, pattern=r"^[A-Za-z0-9_-]+$")]
Password = Annotated[str, StringConstraints(min_length=8, max_length=200)]
GameText = Annotated[str, StringConstraints(min_length=1, max_length=MAX_GAME_TEXT_CHARS)]
MoveText = Annotated[str, StringConstraints(min_length=1, max_length=60)]
ActionId = Annotated[int, Field(strict=True, ge=0, le=1_000_000)]
ChosenMove = ActionId | MoveText
Secret = Annotated[str, StringConstraints(min_length=22, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Level = Annotated[int, Field(strict=True, ge=1, le=10)]
StrictInt = Annotated[int, Field(strict=True)]


class Message(BaseModel):
    """A message that knows all its fields."""

    model_config = ConfigDict(extra="forbid")


class SuddenDeath(Message):
    """So much time for the whole game."""

    kind: Literal["sudden"]
    main_s: StrictInt = Field(ge=1, le=86400)


class Fischer(Message):
    """Time for the game, and more with each move."""

    kind: Literal["fischer"]
    main_s: StrictInt = Field(ge=0, le=86400)
    increment_s: StrictInt = Field(ge=0, le=600)

    @model_validator(mode="after")
    def _some_time(self) -> Fischer:
        if self.main_s + self.increment_s == 0:
            raise ValueError("there must be some time")
        return self


class Bronstein(Message):
    """Time for the game, of which each move's first seconds are free."""

    kind: Literal["bronstein"]
    main_s: StrictInt = Field(ge=1, le=86400)
    delay_s: StrictInt = Field(ge=0, le=600)


class Byoyomi(Message):
    """Time for the game, then periods of which a move uses up only those that it lets pass whole."""

    kind: Literal["byoyomi"]
    main_s: StrictInt = Field(ge=0, le=86400)
    periods: StrictInt = Field(ge=1, le=25)
    period_s: StrictInt = Field(ge=1, le=3600)


class Correspondence(Message):
    """Days for each move."""

    kind: Literal["correspondence"]
    days: StrictInt = Field(ge=1, le=30)


ClockChoice = Annotated[
    SuddenDeath | Fischer | Bronstein | Byoyomi | Correspondence, Field(discriminator="kind")
]


class NewTable(Message):
    """What somebody who makes a table wants."""

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
            raise ValueError("'player' names the opponent, and only where the opponent is 'player'")
        if self.level is not None and self.opponent != "computer":
            raise ValueError("only the computer has a level")
        if self.rated and self.opponent == "computer":
            raise ValueError("a game against the computer is never rated")
        return self


class NameChange(Message):
    """A new name to be shown to others."""

    name: Name | None


class NewAccount(Message):
    """What an account is made of."""

    name: AccountName
    password: Password
    bot: bool = False


class SignIn(Message):
    """A name and its password."""

    name: Annotated[str, StringConstraints(max_length=24)]
    password: Annotated[str, StringConstraints(max_length=200)]


class NewToken(Message):
    """A bearer token for a bot or a script."""

    label: Annotated[str, StringConstraints(min_length=1, max_length=60)]


class JoinBySecret(Message):
    """The secret of a join link."""

    secret: Secret


class QrPath(Message):
    """A path of this server, to be drawn as a QR code."""

    path: Annotated[str, StringConstraints(min_length=1, max_length=300, pattern=r"^/[!-~]*$")]


class AnalysisRequest(Message):
    """A position to look at."""

    game: GameText
    moves: list[ChosenMove] = Field(default=[], max_length=MAX_MOVES)
    seconds: float = Field(default=2, ge=0.1, le=10)
    lines: StrictInt = Field(default=3, ge=1, le=5)


class SeatNames(Message):
    """Who played."""

    first: Name | None = None
    second: Name | None = None


class NewRecord(Message):
    """A record, as the text of a file or as moves."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=200_000)] | None = None
    index: StrictInt = Field(default=0, ge=0, le=100_000)
    game: GameText | None = None
    moves: list[ChosenMove] = Field(default=[], max_length=MAX_MOVES)
    names: SeatNames = SeatNames()

    @model_validator(mode="after")
    def _one_of_two(self) -> NewRecord:
        if (self.text is None) == (self.game is None):
            raise ValueError("give either 'text' or 'game' with 'moves'")
        return self


class NewReview(Message):
    """What to review, and how deeply."""

    table: Annotated[str, StringConstraints(max_length=16)] | None = None
    record: Annotated[str, StringConstraints(max_length=16)] | None = None
    depth: Literal["quick", "normal", "deep"] = "normal"

    @model_validator(mode="after")
    def _one_of_two(self) -> NewReview:
        if (self.table is None) == (self.record is None):
            raise ValueError("give either 'table' or 'record'")
        return self


class Action(Message):
    """Something a player does at a table; `id` makes it safe to send twice."""

    id: RequestId


class MoveAction(Action):
    """Play a move in the position after `ply` plies."""

    ply: StrictInt = Field(ge=0, le=MAX_MOVES)
    move: ChosenMove


class ResignAction(Action):
    """Give up."""


class AbortAction(Action):
    """Call the game off."""


class TakebackAction(Action):
    """Ask to take one's last move back."""


class TakebackAnswerAction(Action):
    """Accept or refuse a takeback."""

    accept: bool


class RematchAction(Action):
    """Offer or accept a rematch."""


class LevelAction(Action):
    """Set the computer's level."""

    level: Level


class MoveFrame(MoveAction):
    """A move on the socket."""

    type: Literal["move"]


class ResignFrame(ResignAction):
    """A resignation on the socket."""

    type: Literal["resign"]


class AbortFrame(AbortAction):
    """An abort on the socket."""

    type: Literal["abort"]


class TakebackFrame(TakebackAction):
    """A takeback on the socket."""

    type: Literal["takeback"]


class TakebackAnswerFrame(TakebackAnswerAction):
    """An answer to a takeback on the socket."""

    type: Literal["takeback-answer"]


class RematchFrame(RematchAction):
    """A rematch on the socket."""

    type: Literal["rematch"]


class LevelFrame(LevelAction):
    """A new level on the socket."""

    type: Literal["level"]


class PongFrame(Message):
    """The answer to a ping."""

    type: Literal["pong"]
    n: StrictInt = Field(ge=0)


Frame = Annotated[
    MoveFrame
    | ResignFrame
    | AbortFrame
    | TakebackFrame
    | TakebackAnswerFrame
    | RematchFrame
    | LevelFrame
    | PongFrame,
    Field(discriminator="type"),
]

FRAMES: TypeAdapter[Frame] = TypeAdapter(Frame)


class ErrorReason(BaseModel):
    """The rule that forbids a move."""

    code: str
    cells: list[str]
    kind: str


class ErrorBody(BaseModel):
    """Why something was refused."""

    code: str
    text: str
    reason: ErrorReason | None = None
    fields: list[dict[str, str]] | None = None


class ErrorResponse(BaseModel):
    """The shape of every refusal."""

    error: ErrorBody


Json = dict[str, Any]
