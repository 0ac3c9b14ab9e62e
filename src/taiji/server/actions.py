"""What a person does at a table, from a socket or a request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from taiji.rules import Seat
from taiji.server import decisions, wire
from taiji.server.errors import Refused
from taiji.server.rooms import MOST_LAG
from taiji.server.store.writer import StoreFailed

if TYPE_CHECKING:
    from taiji.server.decisions import Decision
    from taiji.server.room import Room
    from taiji.server.rooms import Rooms
    from taiji.server.table import Table


async def perform(rooms: Rooms, room: Room, ids: frozenset[str], action: wire.Action, lag: int = 0) -> int:
    """Do an action and return the version it led to, once on disk; the same id is never done twice."""
    table = room.table
    seat = table.seat_of(ids)
    if seat is None:
        raise Refused("not-your-table")
    client = f"{int(seat)}:{action.id}"
    if client not in table.done:
        try:
            await rooms.do(room, lambda t, now: _decide(t, seat, action, now, min(lag, MOST_LAG)), client)
        except (SQLAlchemyError, StoreFailed) as error:
            raise Refused("unavailable", "this could not be written: try again") from error
    else:
        await room.settle()
        if room.dead:
            raise Refused("unavailable")
    return table.done.get(client, table.version)


def _decide(table: Table, seat: Seat, action: wire.Action, now: int, lag: int) -> Decision:
    match action:
        case wire.MoveAction():
            return decisions.move(table, seat, action.ply, action.move, now, lag)
        case wire.ResignAction():
            return decisions.resign(table, seat, now)
        case wire.AbortAction():
            return decisions.abort(table, seat, now)
        case wire.TakebackAction():
            return decisions.takeback(table, seat, now)
        case wire.TakebackAnswerAction():
            return decisions.answer_takeback(table, seat, action.accept, now)
        case wire.RematchAction():
            return decisions.rematch(table, seat)
        case wire.LevelAction():
            return decisions.set_level(table, action.level)
        case _:
            raise Refused("bad-request")
