"""A player's actions at a table, from a socket or a request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from taiji.server.contract import frames
from taiji.server.contract.errors import ApiError
from taiji.server.domain import commands
from taiji.server.live.rooms import MAX_LAG_MS
from taiji.server.store.writer import StoreError

if TYPE_CHECKING:
    from taiji.rules import Seat
    from taiji.server.domain.commands import CommandResult
    from taiji.server.domain.table import Table
    from taiji.server.live.room import Room
    from taiji.server.live.rooms import RoomManager


async def perform(
    rooms: RoomManager, room: Room, ids: frozenset[str], action: frames.Action, lag: int = 0
) -> int:
    """Execute an action and return the version on disk; a repeated id is not executed twice."""
    table = room.table
    seat = table.find_seat(ids)
    if seat is None:
        raise ApiError("not-your-table")
    request_id = f"{int(seat)}:{action.id}"
    if request_id not in table.handled_requests:
        try:
            await rooms.execute_and_wait(
                room, lambda t, now: _execute(t, seat, action, now, min(lag, MAX_LAG_MS)), request_id
            )
        except (SQLAlchemyError, StoreError) as error:
            raise ApiError("unavailable", "the action could not be stored: try again") from error
    else:
        await room.wait_persisted()
        if room.is_closed:
            raise ApiError("unavailable")
    return table.handled_requests.get(request_id, table.version)


def _execute(table: Table, seat: Seat, action: frames.Action, now: int, lag: int) -> CommandResult:
    match action:
        case frames.MoveAction():
            return commands.move(table, seat, action.ply, action.move, now, lag)
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
