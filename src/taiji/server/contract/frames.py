"""The frames of the sockets: what clients send, and what the server sends."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from taiji.server.contract.errors import ErrorBody
from taiji.server.contract.event_frames import TableEvent
from taiji.server.contract.messages import MAX_MOVES, ChosenMove, Level, Message, RequestId, StrictInt, View
from taiji.server.contract.people import FollowedPlayer
from taiji.server.contract.tables import Presence, TableInfo, TableSummary
from taiji.server.contract.talk import NewPhrase, PhraseInfo
from taiji.server.contract.tournaments import PublicTournament


class Action(Message):
    """A player's action at a table; a repeated `id` is not executed twice."""

    id: RequestId


class MoveAction(Action):
    """Play a move in the position after `ply` plies."""

    ply: StrictInt = Field(ge=0, le=MAX_MOVES)
    move: ChosenMove


class ResignAction(Action):
    """Resign."""


class AbortAction(Action):
    """Abort the game."""


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


class SayFrame(NewPhrase):
    """A phrase to the opponent on the socket."""

    type: Literal["say"]


class PongFrame(Message):
    """The answer to a ping."""

    type: Literal["pong"]
    n: StrictInt = Field(ge=0)


ActionFrame = (
    MoveFrame | ResignFrame | AbortFrame | TakebackFrame | TakebackAnswerFrame | RematchFrame | LevelFrame
)
ClientFrame = Annotated[ActionFrame | SayFrame | PongFrame, Field(discriminator="type")]
CLIENT_FRAMES: TypeAdapter[ActionFrame | SayFrame | PongFrame] = TypeAdapter(ClientFrame)


class SnapshotFrame(View):
    """The whole table."""

    type: Literal["snapshot"] = "snapshot"
    table: TableInfo


class AckFrame(View):
    """The action with this id is on disk."""

    type: Literal["ack"] = "ack"
    id: str
    version: int


class ErrorFrame(View):
    """A frame was refused; `id` is that of the frame, if it had one."""

    type: Literal["error"] = "error"
    id: str | None
    error: ErrorBody


class PresenceFrame(Presence):
    """Who is connected."""

    type: Literal["presence"] = "presence"


class ThinkingFrame(View):
    """Whether the computer is thinking."""

    type: Literal["thinking"] = "thinking"
    on: bool


class PhraseFrame(PhraseInfo):
    """A phrase of one of the players, sent only to players."""

    type: Literal["phrase"] = "phrase"


class PingFrame(View):
    """A ping, to measure the lag."""

    type: Literal["ping"] = "ping"
    n: int


TableFrame = Annotated[
    SnapshotFrame
    | TableEvent
    | AckFrame
    | ErrorFrame
    | PresenceFrame
    | ThinkingFrame
    | PhraseFrame
    | PingFrame,
    Field(discriminator="type"),
]
"""What the server sends on a table's socket and stream."""


class LobbyFrame(View):
    """The lobby, sent when it has changed; `now` is the server's time."""

    type: Literal["lobby"] = "lobby"
    now: int
    challenges: list[TableSummary]
    live: list[TableSummary]
    results: list[TableSummary]
    """The public games that ended last."""
    tournaments: list[PublicTournament]
    """Public tournaments that run or begin soon."""
    my_tables: list[TableSummary]
    """The user's unfinished games, and challenges to the user."""
    following: list[FollowedPlayer]


class ChallengeNotice(View):
    """Somebody challenges the account."""

    type: Literal["challenge"] = "challenge"
    table: TableInfo


class TableStartNotice(View):
    """A game of the account has started."""

    type: Literal["table-start"] = "table-start"
    table: TableInfo


class TableEndNotice(View):
    """A game of the account has ended."""

    type: Literal["table-end"] = "table-end"
    table: TableInfo


Notice = Annotated[ChallengeNotice | TableStartNotice | TableEndNotice, Field(discriminator="type")]
"""A line of an account's event stream."""
