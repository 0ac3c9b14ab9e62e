"""Keeping only those rooms in memory that somebody looks at or whose clock runs out soon."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from taiji.server.store import queries

if TYPE_CHECKING:
    from taiji.server.live.room import Room
    from taiji.server.live.rooms import RoomManager

INTERVAL_S = 60.0
LOAD_AHEAD_MS = int(2000 * INTERVAL_S)
"""A clock that runs out within so many milliseconds is watched from memory."""
IDLE_EVICT_MS = 600_000


async def run_eviction_loop(rooms: RoomManager) -> None:
    """Load the tables whose clock runs out soon, and forget those that nobody needs."""
    while True:
        await refresh_loaded_rooms(rooms)
        await rooms.times.sleep(INTERVAL_S)


async def refresh_loaded_rooms(rooms: RoomManager) -> None:
    """Do it once."""
    now = rooms.times.now()
    for table_id in await rooms.store.read(partial(queries.due_tables, until=now + LOAD_AHEAD_MS)):
        if table_id not in rooms.rooms:
            await rooms.get(table_id)
    for table_id, room in list(rooms.rooms.items()):
        if not _must_stay_loaded(room, now):
            del rooms.rooms[table_id]


def _must_stay_loaded(room: Room, now: int) -> bool:
    deadline = room.table.deadline
    writing = room.pending is not None and not room.pending.done()
    looked_at = bool(room.subscribers) or room.thinking or now - room.last_used <= IDLE_EVICT_MS
    return looked_at or writing or (deadline is not None and deadline <= now + LOAD_AHEAD_MS)
