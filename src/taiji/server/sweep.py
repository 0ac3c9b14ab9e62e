"""Keeping only those rooms in memory that somebody looks at or whose clock runs out soon."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from taiji.server.store import queries

if TYPE_CHECKING:
    from taiji.server.room import Room
    from taiji.server.rooms import Rooms

EVERY_S = 60.0
AHEAD = int(2000 * EVERY_S)
"""A clock that runs out within so many milliseconds is watched from memory."""
FORGET_AFTER = 600_000


async def keep_sweeping(rooms: Rooms) -> None:
    """Load the tables whose clock runs out soon, and forget those that nobody needs."""
    while True:
        await sweep(rooms)
        await rooms.times.sleep(EVERY_S)


async def sweep(rooms: Rooms) -> None:
    """Do it once."""
    now = rooms.times.now()
    for table_id in await rooms.store.read(partial(queries.due_tables, until=now + AHEAD)):
        if table_id not in rooms.rooms:
            await rooms.get(table_id)
    for table_id, room in list(rooms.rooms.items()):
        if not _needed(room, now):
            del rooms.rooms[table_id]


def _needed(room: Room, now: int) -> bool:
    deadline = room.table.deadline
    writing = room.pending is not None and not room.pending.done()
    looked_at = bool(room.members) or room.thinking or now - room.touched <= FORGET_AFTER
    return looked_at or writing or (deadline is not None and deadline <= now + AHEAD)
