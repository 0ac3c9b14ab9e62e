"""A player's actions at a table, from a socket or a request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from taiji.server.contract.errors import ApiError
from taiji.server.live.orders import Act
from taiji.server.live.rooms import MAX_LAG_MS
from taiji.server.store.writer import StoreError

if TYPE_CHECKING:
    from taiji.server.contract import frames
    from taiji.server.live.room import Room
    from taiji.server.live.rooms import RoomManager


async def perform(
    rooms: RoomManager, room: Room, ids: frozenset[str], action: frames.Action, lag: int = 0
) -> int:
    """Execute an action and return the version on disk; a repeated id is not executed twice."""
    seat = room.table.find_seat(ids)
    if seat is None:
        raise ApiError("not-your-table")
    try:
        order = Act.of(seat, action, min(lag, MAX_LAG_MS))
        return await rooms.perform(room, order, f"{int(seat)}:{action.id}")
    except (SQLAlchemyError, StoreError) as error:
        raise ApiError("unavailable", "the action could not be stored: try again") from error
