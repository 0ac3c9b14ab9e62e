"""Orders: what a table's owner executes, as values that travel from the server that received them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, assert_never

from pydantic import Field, TypeAdapter

from taiji.rules import Seat
from taiji.server.contract import frames
from taiji.server.contract.errors import ApiError
from taiji.server.domain import commands
from taiji.server.domain.commands import CommandResult
from taiji.server.domain.table import SeatedPlayer, Table

FRAME_TYPES: dict[type[frames.Action], str] = {
    frames.MoveAction: "move",
    frames.ResignAction: "resign",
    frames.AbortAction: "abort",
    frames.TakebackAction: "takeback",
    frames.TakebackAnswerAction: "takeback-answer",
    frames.RematchAction: "rematch",
    frames.LevelAction: "level",
}
"""The frame of each action, which may have come without a type by a request."""


@dataclass(frozen=True, slots=True)
class Act:
    """A player's action."""

    seat: Seat
    action: frames.ActionFrame
    lag: int = 0
    kind: Literal["act"] = "act"

    @classmethod
    def of(cls, seat: Seat, action: frames.Action, lag: int) -> Act:
        """Return the order of an action from a socket or a request."""
        known = next(frame_type for base, frame_type in FRAME_TYPES.items() if isinstance(action, base))
        frame = frames.CLIENT_FRAMES.validate_python({**action.model_dump(), "type": known})
        assert not isinstance(frame, frames.PongFrame | frames.SayFrame)
        return cls(seat, frame, lag)


@dataclass(frozen=True, slots=True)
class Join:
    """Take a free seat."""

    seat: Seat
    player: SeatedPlayer
    kind: Literal["join"] = "join"


@dataclass(frozen=True, slots=True)
class AddDevice:
    """Let one more browser hold a seat."""

    seat: Seat
    user_id: str
    kind: Literal["add-device"] = "add-device"


@dataclass(frozen=True, slots=True)
class RemoveDevice:
    """Take the seat from a browser that holds it by a link."""

    user_id: str
    kind: Literal["remove-device"] = "remove-device"


@dataclass(frozen=True, slots=True)
class Resign:
    """Resign, without a request of the player's own."""

    seat: Seat
    kind: Literal["resign"] = "resign"


@dataclass(frozen=True, slots=True)
class Decline:
    """Abort a table whose challenge was declined."""

    kind: Literal["decline"] = "decline"


@dataclass(frozen=True, slots=True)
class Cancel:
    """Abort a game that is not needed any more."""

    kind: Literal["cancel"] = "cancel"


@dataclass(frozen=True, slots=True)
class TakeVacation:
    """Let a seat's clock rest until a time, or run again."""

    seat: Seat
    until: int | None
    kind: Literal["vacation"] = "vacation"


MAX_OPTIONAL_EVENTS = 2000
"""A table is loaded with all its events."""
OPTIONAL_ACTIONS = (
    frames.TakebackAction,
    frames.TakebackAnswerAction,
    frames.RematchAction,
    frames.LevelAction,
)
Order = Act | Join | AddDevice | RemoveDevice | Resign | Decline | Cancel | TakeVacation
ORDERS: TypeAdapter[Order] = TypeAdapter(Annotated[Order, Field(discriminator="kind")])


def execute(order: Order, table: Table, now: int) -> CommandResult:
    """Decide what an order does."""
    match order:
        case Act():
            return _act(order, table, now)
        case Join():
            return commands.join(table, order.seat, order.player, now)
        case AddDevice():
            _refuse_surplus(table)
            return commands.add_device(table, order.seat, order.user_id)
        case RemoveDevice():
            return commands.remove_device(table, order.user_id)
        case Resign():
            return commands.resign(table, order.seat, now)
        case Decline():
            return commands.abort(table, Seat.FIRST, now)
        case Cancel():
            return commands.cancel(table, now)
        case TakeVacation():
            return commands.set_vacation(table, order.seat, order.until, now)
        case _:
            assert_never(order)


def _refuse_surplus(table: Table) -> None:
    """Raise `ApiError` if a table has so much history that only moves and the end of the game are added."""
    if table.version >= MAX_OPTIONAL_EVENTS:
        raise ApiError("too-late", "this table has had too many events")


def _act(order: Act, table: Table, now: int) -> CommandResult:
    seat, action = order.seat, order.action
    if isinstance(action, OPTIONAL_ACTIONS):
        _refuse_surplus(table)
    match action:
        case frames.MoveAction():
            return commands.move(table, seat, action.ply, action.move, now, order.lag)
        case frames.ResignAction():
            return commands.resign(table, seat, now)
        case frames.AbortAction():
            return commands.abort(table, seat, now)
        case frames.TakebackAction():
            return commands.takeback(table, seat, now)
        case frames.TakebackAnswerAction():
            return commands.answer_takeback(table, seat, action.accept, now)
        case frames.RematchAction():
            return commands.rematch(table, seat)
        case frames.LevelAction():
            return commands.set_level(table, action.level)
        case _:
            raise ApiError("bad-request")
