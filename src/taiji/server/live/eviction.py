"""Eviction of rooms that nobody follows and whose clock does not run out soon."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING

from taiji.server.contract.errors import ApiError
from taiji.server.store import queries

if TYPE_CHECKING:
    from taiji.server.live.room import Room
    from taiji.server.live.rooms import RoomManager

log = logging.getLogger("taiji.server")

INTERVAL_S = 60.0
LOAD_AHEAD_MS = int(2000 * INTERVAL_S)
"""A table whose clock runs out within this time is kept in memory."""
IDLE_EVICT_MS = 600_000


async def run_eviction_loop(rooms: RoomManager) -> None:
    """Refresh the loaded rooms once per interval."""
    while True:
        await refresh_loaded_rooms(rooms)
        await rooms.time.sleep(INTERVAL_S)


async def refresh_loaded_rooms(rooms: RoomManager) -> None:
    """Load the tables whose clock runs out soon, and evict those that are not needed."""
    now = rooms.time.now()
    for table_id in await rooms.store.read(partial(queries.due_tables, until=now + LOAD_AHEAD_MS)):
        if table_id not in rooms.rooms and rooms.ownership.term(table_id) is not None:
            try:
                await rooms.get(table_id)
            except (ApiError, ValueError, KeyError, AssertionError):
                # One table that cannot be read must not stop the clocks of all others.
                log.exception("table %s could not be loaded", table_id)
    for table_id, room in list(rooms.rooms.items()):
        if not _must_stay_loaded(room, now):
            rooms.drop(table_id)


def _must_stay_loaded(room: Room, now: int) -> bool:
    deadline = room.table.deadline
    writing = room.pending is not None and not room.pending.done()
    in_use = bool(room.subscribers) or room.thinking or now - room.last_used <= IDLE_EVICT_MS
    return in_use or writing or (deadline is not None and deadline <= now + LOAD_AHEAD_MS)
