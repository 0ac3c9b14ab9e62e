"""Replicas: tables of other servers with a subscriber here.

The owner of a table publishes its events over the bus when they are on disk. A gap is filled from the
database, and the database is asked regularly, because the loss of the last message leaves no gap.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import SQLAlchemyError

from taiji.server.contract.errors import ApiError
from taiji.server.contract.frames import ThinkingFrame
from taiji.server.store import queries
from taiji.server.store.shards import shard_of

if TYPE_CHECKING:
    from taiji.server.domain.table import Event
    from taiji.server.live.room import Room
    from taiji.server.live.rooms import RoomManager

log = logging.getLogger("taiji.server")

POLL_S = 2.0
POLL_WITHOUT_BUS_S = 0.5
EVENT_WAIT_S = 0.05
"""How long the event of an executed order may take longer than the answer, before the database is asked."""
MAX_IDS_PER_QUERY = 500


class Replicas:
    """Keeps the rooms of tables that other servers own up to date."""

    def __init__(self, rooms: RoomManager) -> None:
        self._rooms = rooms
        self._refreshing: dict[str, asyncio.Task[None]] = {}
        self._adopting: dict[str, asyncio.Lock] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        rooms.peers.bus.on_reconnect.append(self._refresh_all)

    async def follow(self, table_id: str) -> None:
        """Receive the events of a table; call it before the table is read."""
        await self._rooms.peers.follow(table_id, partial(self._hear, table_id))

    def unfollow(self, table_id: str) -> None:
        """Receive nothing of a table any more."""
        if not self._rooms.peers.is_alone:
            task = asyncio.create_task(self._rooms.peers.unfollow(table_id))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def publish(self, room: Room, events: list[Event]) -> None:
        """Tell the followers of an own table what is on disk now."""
        if not self._rooms.peers.is_alone:
            rows = [queries.event_row(room.table.id, event) for event in events]
            self._rooms.peers.tell(room.table.id, {"events": rows})

    def _hear(self, table_id: str, message: dict[str, Any]) -> None:
        room = self._rooms.rooms.get(table_id)
        if room is None or self._rooms.is_owned(room):
            return
        if "thinking" in message:
            room.thinking = message["thinking"]
            room.broadcast(ThinkingFrame(on=room.thinking))
        elif "match" in message:
            self.refresh(room, whole=True)
        elif not self._apply(room, message["events"]):
            self.refresh(room)

    def _apply(self, room: Room, rows: list[dict[str, Any]]) -> bool:
        """Apply events to a replica; return False if one is missing."""
        events, now = [], self._rooms.time.now()
        for row in rows:
            if row["version"] <= room.table.version:
                continue
            if row["version"] != room.table.version + 1:
                return False
            event = queries.read_event(room.table, row)
            room.table.apply(event)
            room.publish(event, now)
            events.append(event)
        if events:
            self._rooms.notify_followers(room, events)
        return True

    def refresh(self, room: Room, *, whole: bool = False) -> asyncio.Task[None]:
        """Read what is missing from the database; the task ends when the room is up to date."""
        table_id = room.table.id
        running = self._refreshing.get(table_id)
        if running is not None and not running.done() and not whole:
            return running
        task = asyncio.create_task(self._refresh(room, whole))
        self._refreshing[table_id] = task
        task.add_done_callback(partial(self._refreshed, table_id))
        return task

    def _refreshed(self, table_id: str, task: asyncio.Task[None]) -> None:
        if self._refreshing.get(table_id) is task:
            del self._refreshing[table_id]
        if not task.cancelled() and task.exception() is not None:
            log.warning("table %s could not be read: %s", table_id, task.exception())

    async def _refresh(self, room: Room, whole: bool) -> None:
        if whole:
            await self.load_again(room)
        else:
            await self.catch_up(room)

    async def catch_up(self, room: Room) -> None:
        """Read the events that the database has now; a message about the last one may be late or lost."""
        rooms, table = self._rooms, room.table
        events = await rooms.store.read(partial(queries.load_events, table=table, after=table.version))
        if room.table is table and not rooms.is_owned(room):
            self._apply(room, [queries.event_row(table.id, event) for event in events])

    async def reach(self, table_id: str, version: int) -> None:
        """Wait until a replica shows a version, so that an answer does not overtake its event."""
        room = self._rooms.rooms.get(table_id)
        if room is None or room.table.version >= version:
            return
        end = asyncio.get_running_loop().time() + EVENT_WAIT_S
        while room.table.version < version and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.002)
        if room.table.version < version:
            await self.refresh(room)

    # --- repairs -------------------------------------------------------------------------------------------

    def _followed(self) -> list[Room]:
        return [room for room in self._rooms.rooms.values() if not self._rooms.is_owned(room)]

    def _refresh_all(self) -> None:
        for room in self._followed():
            self.refresh(room)

    async def run(self) -> None:
        """Ask the database regularly for what the bus may have lost."""
        while True:
            connected = self._rooms.peers.bus.is_connected
            await asyncio.sleep(POLL_S if connected else POLL_WITHOUT_BUS_S)
            followed = {room.table.id: room for room in self._followed()}
            ids = list(followed)
            for start in range(0, len(ids), MAX_IDS_PER_QUERY):
                some = ids[start : start + MAX_IDS_PER_QUERY]
                try:
                    versions = await self._rooms.store.read(partial(queries.table_versions, ids=some))
                except SQLAlchemyError:
                    break
                for table_id, version in versions.items():
                    if version > followed[table_id].table.version:
                        self.refresh(followed[table_id])

    # --- changes of owner ----------------------------------------------------------------------------------

    async def adopt(self, table_id: str) -> Room:
        """Return the room of a table that this server owns, read under its current ownership."""
        rooms = self._rooms
        room = await rooms.get(table_id)
        if not rooms.is_owned(room):
            async with self._adopting.setdefault(table_id, asyncio.Lock()):
                if not rooms.is_owned(room):
                    await self.load_again(room)
            self._adopting.pop(table_id, None)
        if room.is_closed or not rooms.is_owned(room):
            raise ApiError("unavailable")
        return room

    async def load_again(self, room: Room) -> None:
        """Read a room's table again and show what is new; from now on it is decided here if it is owned."""
        rooms, table_id = self._rooms, room.table.id
        await room.wait_persisted()
        term = rooms.ownership.term(table_id)
        loaded = await rooms.store.read(partial(queries.load_table, table_id=table_id))
        if loaded is None or room.is_closed or loaded[0].version < room.table.version:
            return
        table, events, invite = loaded
        new = [event for event in events if event.version > room.table.version]
        room.table, room.invite, room.term = table, invite, term
        now = rooms.time.now()
        for event in new:
            room.publish(event, now)
        if rooms.is_owned(room):
            self.unfollow(table_id)
            rooms.taken_over(room, new)
        elif new:
            rooms.notify_followers(room, new)

    async def adopt_gained(self) -> None:
        """Read the rooms in memory again that this server has come to own."""
        rooms = self._rooms
        for room in list(rooms.rooms.values()):
            if not rooms.is_owned(room) and rooms.ownership.term(room.table.id) is not None:
                try:
                    await self.adopt(room.table.id)
                except (ApiError, SQLAlchemyError) as error:
                    # A room that was closed or lost again by now is for the next owner to take over.
                    if not room.is_closed and rooms.ownership.term(room.table.id) is not None:
                        log.warning("table %s could not be taken over: %s", room.table.id, error)

    async def lose(self, shards: Collection[int]) -> None:
        """Turn the rooms of lost shards into replicas, once what they decided is written."""
        for room in [room for room in self._rooms.rooms.values() if shard_of(room.table.id) in shards]:
            self._rooms.given_away(room)
            await self.follow(room.table.id)
            await room.wait_persisted()
            if not room.is_closed:
                self.refresh(room)
        for room in [room for room in self._rooms.creating if shard_of(room.table.id) in shards]:
            await room.wait_persisted()
