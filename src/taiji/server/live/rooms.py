"""All rooms: loading and evicting them, writing the results of commands, and the timers of their clocks."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from taiji.rules import Seat
from taiji.server.contract.errors import ApiError
from taiji.server.contract.events import Ended, Moved, NextGame, Rematched
from taiji.server.domain import commands
from taiji.server.domain.matches import mirror, next_slot
from taiji.server.domain.table import Event, EventDraft, MatchSlot, SeatedPlayer, Table, TableSettings
from taiji.server.identity.credentials import new_id
from taiji.server.live.eviction import run_eviction_loop
from taiji.server.live.room import RECENT_EVENTS, Room
from taiji.server.live.timers import Timers
from taiji.server.store import queries

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from taiji.server.domain.commands import CommandResult, FollowUp
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

log = logging.getLogger("taiji.server")

MAX_LAG_MS = 500
"""The lag per move that is not charged."""
GOING_AWAY = 1012

Listener = Callable[[Room, list[Event]], None]
Work = Callable[["Connection"], None]
Command = Callable[[Table, int], "CommandResult"]


class RoomManager:
    """The rooms in memory; any table can be loaded into one."""

    def __init__(self, store: Store, time: TimeSource) -> None:
        self.store = store
        self.time = time
        self.rooms: dict[str, Room] = {}
        self.listeners: list[Listener] = []
        """Called with the events of a room when they are on disk."""
        self._last_known: dict[str, int] = {}
        """The version before a failed write, which may be on disk nevertheless."""
        self._loading: dict[str, asyncio.Task[Room | None]] = {}
        self._timers = Timers(time, self._on_deadline)
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Start the timers and the eviction loop."""
        self._tasks = [asyncio.create_task(self._timers.run()), asyncio.create_task(run_eviction_loop(self))]

    async def close(self) -> None:
        """Close all rooms; the clients reconnect to the next server."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for room in list(self.rooms.values()):
            await room.wait_persisted()
            room.close(GOING_AWAY)

    async def get(self, table_id: str) -> Room:
        """Return the room of a table, from memory or from disk."""
        room = self.rooms.get(table_id)
        if room is None:
            task = self._loading.get(table_id)
            if task is None:
                task = asyncio.create_task(self._load(table_id))
                self._loading[table_id] = task
                task.add_done_callback(lambda _: self._loading.pop(table_id, None))
            room = await asyncio.shield(task)
        if room is None:
            raise ApiError("not-found")
        room.last_used = self.time.now()
        return room

    async def _load(self, table_id: str) -> Room | None:
        loaded = await self.store.read(partial(queries.load_table, table_id=table_id))
        if loaded is None:
            return None
        table, events, invite = loaded
        room = self._register(Room(table, events[-RECENT_EVENTS:], invite))
        known = self._last_known.pop(table_id, table.version)
        self._notify_listeners(room, [event for event in events if event.version > known])
        return room

    async def events_after(self, room: Room, after: int) -> list[Event]:
        """Return the events after a version, from memory or from disk."""
        events = room.events_since(after)
        if events is None:
            events = await self.store.read(partial(queries.load_events, table=room.table, after=after))
        return events

    def _register(self, room: Room) -> Room:
        self.rooms[room.table.id] = room
        room.last_used = self.time.now()
        self._schedule_timer(room)
        return room

    # --- creating tables -----------------------------------------------------------------------------------

    async def create_table(
        self,
        settings: TableSettings,
        players: dict[Seat, SeatedPlayer],
        match: bool,
        link: dict[str, Any] | None = None,
        extra_write: Callable[[Table], Work] | None = None,
    ) -> Room:
        """Create a table with the players who are seated already; it starts when both seats are taken.

        `extra_write` returns what is written in the same transaction.
        """
        slot = MatchSlot(new_id(), 1) if match else None
        table = Table.new(new_id(), settings, self.time.now(), slot)
        room, work = self._prepare(table, players)
        row = None if link is None else {**link, "table_id": table.id}
        room.invite = None if row is None else row["secret"]
        more = None if extra_write is None else extra_write(table)

        def write(connection: Connection) -> None:
            work(connection)
            if more is not None:
                more(connection)
            if row is not None:
                queries.add_seat_link(connection, row)

        events = list(room.recent)
        room.pending = self.store.write(write)
        await asyncio.shield(room.pending)
        self._register(room)
        self._notify_listeners(room, events)
        return room

    def _prepare(
        self, table: Table, players: dict[Seat, SeatedPlayer], holders: Iterable[tuple[Seat, str]] = ()
    ) -> tuple[Room, Work]:
        row = {**queries.settings_row(table), **queries.projection_row(table)}
        now = table.created_at
        events: list[Event] = []
        for seat, player in players.items():
            joined = commands.join(table, seat, player, now)
            events += [table.apply_draft(draft, now) for draft in joined.drafts]
        for seat, holder in holders:
            added = commands.add_device(table, seat, holder)
            events += [table.apply_draft(draft, now) for draft in added.drafts]
        rows = [queries.event_row(table.id, event) for event in events]
        projection = queries.projection_row(table)

        def write(connection: Connection) -> None:
            queries.add_table(connection, row)
            queries.add_events(connection, table.id, projection, rows)

        return Room(table, events), write

    def create_follow_up(self, table: Table, follow_up: FollowUp) -> tuple[Room, Work]:
        """Create the second game of a match, or a rematch, with the seats exchanged."""
        if follow_up == "next-game":
            slot: MatchSlot | None = next_slot(table)
            previous = None
        else:
            slot = MatchSlot(new_id(), 1) if table.match else None
            previous = table.id
        new = Table.new(new_id(), table.settings, self.time.now(), slot, previous)
        players = {seat.other: player for seat in Seat if (player := table.seats[seat]) is not None}
        holders = [
            (seat.other, holder)
            for seat, player in ((seat, table.seats[seat]) for seat in Seat)
            for holder in sorted(table.holders[seat] - {player.id if player else ""})
        ]
        return self._prepare(new, players, holders)

    # --- from command to disk ------------------------------------------------------------------------------

    async def execute_and_wait(
        self, room: Room, command: Command, request_id: str | None = None, extra_write: Work | None = None
    ) -> None:
        """Execute a command and wait until it is on disk; cancelling the wait does not undo it."""
        await asyncio.shield(self.execute(room, command, request_id, extra_write))

    def execute(
        self, room: Room, command: Command, request_id: str | None = None, extra_write: Work | None = None
    ) -> asyncio.Future[Any]:
        """Execute a command in memory and write it; the future resolves when it is on disk and published."""
        table, now = room.table, self.time.now()
        if room.is_closed:
            raise ApiError("unavailable")
        result = command(table, now)
        next_table = result.next_table
        events = [
            table.apply_draft(draft, now, request_id if not i else None)
            for i, draft in enumerate(result.drafts)
        ]
        if events and isinstance(events[-1].data, Moved):
            ended = commands.after_move(table, now)
            events += [table.apply_draft(draft, now) for draft in ended.drafts]
            next_table = ended.next_table
        if not events and next_table is None:
            done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
            done.set_result(None)
            return done
        return self._write(room, events, next_table, request_id, extra_write)

    def _write(
        self,
        room: Room,
        events: list[Event],
        follow_up: FollowUp | None,
        request_id: str | None,
        extra_write: Work | None,
    ) -> asyncio.Future[Any]:
        table = room.table
        followed: Room | None = None
        work: Work | None = None
        if follow_up is not None:
            followed, work = self.create_follow_up(table, follow_up)
            event_class = NextGame if follow_up == "next-game" else Rematched
            draft = EventDraft(event_class(table=followed.table.id), table.clock)
            events.append(table.apply_draft(draft, self.time.now(), request_id if not events else None))
        if len(events) == 1 and isinstance(events[0].data, Moved):
            return self._submit(room, events, queries.AddMove(table, events[0]))
        rows = [queries.event_row(table.id, event) for event in events]
        projection = queries.projection_row(table)
        other: str | None = None
        if table.match is not None and table.match.game_no == 2:
            other = table.match.other if any(isinstance(event.data, Ended) for event in events) else None
        result = table.match_result

        def write(connection: Connection) -> None:
            for step in (work, extra_write):
                if step is not None:
                    step(connection)
            queries.add_events(connection, table.id, projection, rows)
            if other is not None:
                queries.set_match_result(connection, other, result)

        return self._submit(room, events, write, followed, other)

    def _submit(
        self,
        room: Room,
        events: list[Event],
        work: Work,
        followed: Room | None = None,
        other: str | None = None,
    ) -> asyncio.Future[Any]:
        future = self.store.write(work)
        room.pending = future
        future.add_done_callback(partial(self._on_persisted, room, events, followed, other))
        return future

    def _on_persisted(
        self,
        room: Room,
        events: list[Event],
        followed: Room | None,
        other: str | None,
        future: asyncio.Future[Any],
    ) -> None:
        if future.cancelled() or future.exception() is not None:
            log.error("table %s could not be written: %s", room.table.id, future.exception())
            self.rooms.pop(room.table.id, None)
            self._last_known.setdefault(room.table.id, events[0].version - 1)
            room.close(GOING_AWAY)
            return
        now = self.time.now()
        if followed is not None:
            self._register(followed)
        for event in events:
            room.publish(event, now)
        if other is not None and other in self.rooms:
            self.rooms[other].table.match_result = mirror(room.table.match_result)
        self._schedule_timer(room)
        self._notify_listeners(room, events)
        if followed is not None:
            self._notify_listeners(followed, list(followed.recent))

    def _notify_listeners(self, room: Room, events: list[Event]) -> None:
        for listener in self.listeners:
            listener(room, events)

    async def rewrite(self, ids: frozenset[str], work: Work) -> None:
        """Change stored names of a player; the tables in memory where the player sits are loaded again."""
        await asyncio.gather(*self._loading.values(), return_exceptions=True)
        affected = [room for room in self.rooms.values() if room.table.has_player(ids)]
        for room in affected:
            room.close(GOING_AWAY)  # the clients reconnect and receive the new names
        for room in affected:
            await room.wait_persisted()
        try:
            await self.store.write(work)
        finally:
            for room in affected:
                self.rooms.pop(room.table.id, None)
                await self.get(room.table.id)

    # --- clocks --------------------------------------------------------------------------------------------

    def _schedule_timer(self, room: Room) -> None:
        if room.table.deadline is not None:
            self._timers.schedule(room.table.deadline, room.table.id, room.table.version)

    def _on_deadline(self, table_id: str, version: int) -> int | None:
        """End a game whose time is over; return when to check again if lag may still save it."""
        room, now = self.rooms.get(table_id), self.time.now()
        if (
            room is None
            or room.table.version != version
            or room.table.clock is None
            or room.table.turn is None
        ):
            return None
        lag = min(room.min_lag(room.table.turn), MAX_LAG_MS)
        if not room.table.clock.has_flagged(now, lag):
            return now + max(lag, 1)
        self.execute(room, commands.flag_fall)
        return None
