"""What a person does at a table, from a socket or a request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from taiji.rules import Seat
from taiji.server.contract import messages as wire
from taiji.server.contract.errors import ApiError
from taiji.server.domain import commands as decisions
from taiji.server.live.rooms import MAX_LAG_MS
from taiji.server.store.writer import StoreError

if TYPE_CHECKING:
    from taiji.server.domain.commands import CommandResult
    from taiji.server.domain.table import Table
    from taiji.server.live.room import Room
    from taiji.server.live.rooms import RoomManager


async def perform(
    rooms: RoomManager, room: Room, ids: frozenset[str], action: wire.Action, lag: int = 0
) -> int:
    """Do an action and return the version it led to, once on disk; the same id is never done twice."""
    table = room.table
    seat = table.find_seat(ids)
    if seat is None:
        raise ApiError("not-your-table")
    client = f"{int(seat)}:{action.id}"
    if client not in table.handled_requests:
        try:
            await rooms.execute_and_wait(
                room, lambda t, now: _decide(t, seat, action, now, min(lag, MAX_LAG_MS)), client
            )
        except (SQLAlchemyError, StoreError) as error:
            raise ApiError("unavailable", "this could not be written: try again") from error
    else:
        await room.wait_persisted()
        if room.is_closed:
            raise ApiError("unavailable")
    return table.handled_requests.get(client, table.version)


def _decide(table: Table, seat: Seat, action: wire.Action, now: int, lag: int) -> CommandResult:
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
            raise ApiError("bad-request")
