"""All rooms: loading and evicting them, writing the results of commands, and the timers of their clocks."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from taiji.rules import Seat
from taiji.server.cluster.peers import Peers
from taiji.server.contract.errors import ApiError
from taiji.server.contract.events import Ended, Moved, NextGame, Rematched
from taiji.server.domain import commands
from taiji.server.domain.matches import mirror
from taiji.server.domain.table import Event, EventDraft, SeatedPlayer, Table, TableSettings
from taiji.server.live.eviction import run_eviction_loop
from taiji.server.live.forwarding import Forwarding
from taiji.server.live.new_tables import NewTables
from taiji.server.live.replicas import Replicas
from taiji.server.live.room import RECENT_EVENTS, Room
from taiji.server.live.timers import Timers
from taiji.server.store import queries
from taiji.server.store.openings import queue_opening
from taiji.server.store.results import add_results, result_rows

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from taiji.server.domain.commands import CommandResult, FollowUp
    from taiji.server.live.orders import Order
    from taiji.server.live.presence import PresenceMap
    from taiji.server.live.supervisor import Supervisor
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

    def __init__(self, store: Store, time: TimeSource, peers: Peers | None = None) -> None:
        self.store = store
        self.time = time
        self.ownership = store.ownership
        self.peers = peers or Peers(store.ownership)
        self.rooms: dict[str, Room] = {}
        self.creating: set[Room] = set()
        """New rooms whose first events are not on disk."""
        self.listeners: list[Listener] = []
        """Called with the events of an own room when they are on disk."""
        self.followers: list[Listener] = []
        """Called with the events of any room, also of one that another server owns."""
        self.presence: PresenceMap | None = None
        self.replicas = Replicas(self)
        self._forwarding = Forwarding(self)
        self._last_known: dict[str, int] = {}
        """The version before a failed write, which may be on disk nevertheless."""
        self._loading: dict[str, asyncio.Task[Room | None]] = {}
        self._new_tables = NewTables(store.ownership, time)
        self._timers = Timers(time, self._on_deadline)
        self.ownership.on_loss.append(self.replicas.lose)
        self.peers.hear("rewritten", self._on_rewritten)

    def start(self, supervisor: Supervisor) -> None:
        """Start the timers and the eviction loop."""
        supervisor.start("clocks", self._timers.run)
        supervisor.start("eviction", partial(run_eviction_loop, self))
        if not self.peers.is_alone:
            supervisor.start("replicas", self.replicas.run)

    async def close(self) -> None:
        """Close all rooms; the clients reconnect to the next server."""
        for room in list(self.rooms.values()):
            await room.wait_persisted()
            room.close(GOING_AWAY)

    @property
    def timer_count(self) -> int:
        """The number of clocks that are waited for."""
        return len(self._timers)

    async def new_id(self) -> str:
        """Return an id that this server owns."""
        await self.ownership.wait_until_owner()
        return self._new_tables.new_id()

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

    async def get_current(self, table_id: str) -> Room:
        """Return the room of a table with everything that any server has acknowledged."""
        is_new = table_id not in self.rooms
        room = await self.get(table_id)
        if not is_new and not self.peers.is_alone and not self.is_owned(room):
            await self.replicas.catch_up(room)
        return room

    async def _load(self, table_id: str) -> Room | None:
        term = self.ownership.term(table_id)
        if term is None:
            await self.replicas.follow(table_id)
        loaded = await self.store.read(partial(queries.load_table, table_id=table_id))
        if loaded is None:
            return None
        table, events, invite = loaded
        room = Room(table, events[-RECENT_EVENTS:], invite)
        room.term = term
        room = self._register(room)
        known = self._last_known.pop(table_id, table.version)
        if self.is_owned(room):
            self._notify_listeners(room, [event for event in events if event.version > known])
        return room

    # --- ownership -----------------------------------------------------------------------------------------

    def is_owned(self, room: Room) -> bool:
        """Return whether this server may decide what happens in a room."""
        return room.term is not None and room.term == self.ownership.term(room.table.id)

    async def perform(self, room: Room, order: Order, request_id: str | None = None) -> int:
        """Execute an order where its table is owned, and return the version on disk."""
        return await self._forwarding.perform(room, order, request_id)

    def taken_over(self, room: Room, events: list[Event]) -> None:
        """Run the clock of a room that this server has come to own, and tell what happened before."""
        self._schedule_timer(room)
        self._notify_listeners(room, events)

    def given_away(self, room: Room) -> None:
        """Leave a room's clock to the new owner of the table."""
        room.term = None
        self._timers.cancel(room.table.id)

    async def events_after(self, room: Room, after: int) -> list[Event]:
        """Return the events after a version, from memory or from disk."""
        events = room.events_since(after)
        if events is None:
            events = await self.store.read(partial(queries.load_events, table=room.table, after=after))
        return events

    def _register(self, room: Room) -> Room:
        """Keep a room, or return the one that was loaded from disk in the meantime."""
        room = self.rooms.setdefault(room.table.id, room)
        if not self.peers.is_alone:
            room.publish_remote = partial(self.peers.tell, room.table.id)
        if self.presence is not None:
            room.on_presence = self.presence.note
            room.remote = self.presence.remote(room.table.id)
        room.last_used = self.time.now()
        self._schedule_timer(room)
        return room

    async def create_table(
        self,
        settings: TableSettings,
        players: dict[Seat, SeatedPlayer],
        match: bool,
        link: dict[str, Any] | None = None,
        extra_write: Callable[[Table], Work] | None = None,
        beside: str | None = None,
    ) -> Room:
        """Create a table with the players who are seated already; it starts when both seats are taken.

        `extra_write` returns what is written in the same transaction. The table has the owner of `beside`.
        """
        await self.ownership.wait_until_owner()
        room, write = self._new_tables.prepare(settings, players, match, link, beside)
        more = None if extra_write is None else extra_write(room.table)

        def write_all(connection: Connection) -> None:
            write(connection)
            if more is not None:
                more(connection)

        events = list(room.recent)
        room.pending = self.store.write(write_all)
        self.creating.add(room)
        try:
            await asyncio.shield(room.pending)
        finally:
            self.creating.discard(room)
        registered = self._register(room)
        self._notify_listeners(registered, events)
        return registered

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
        if room.is_closed or not self.is_owned(room):
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
            followed, work = self._new_tables.prepare_follow_up(table, follow_up)
            event_class = NextGame if follow_up == "next-game" else Rematched
            draft = EventDraft(event_class(table=followed.table.id), table.clock)
            events.append(table.apply_draft(draft, self.time.now(), request_id if not events else None))
        if len(events) == 1 and isinstance(events[0].data, Moved):
            return self._submit(room, events, queries.AddMove(table, events[0]))
        rows = [queries.event_row(table.id, event) for event in events]
        projection = queries.projection_row(table)
        ends = any(isinstance(event.data, Ended) for event in events)
        other: str | None = None
        if ends and table.match is not None and table.match.game_no == 2:
            other = table.match.other
        result = table.match_result
        rated = ends and table.is_rated
        explored = ends and table.is_explored
        results = result_rows(table) if ends else []

        def write(connection: Connection) -> None:
            for step in (work, extra_write):
                if step is not None:
                    step(connection)
            queries.add_events(connection, table.id, projection, rows)
            if other is not None:
                queries.set_match_result(connection, other, result)
            if rated:
                queries.queue_rating(connection, table.id)
            if explored:
                queue_opening(connection, table.id)
            add_results(connection, table, results)

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
            log.error("table %s could not be written: %r", room.table.id, _first_cause(future))
            self.drop(room.table.id)
            self._last_known.setdefault(room.table.id, events[0].version - 1)
            room.close(GOING_AWAY)
            return
        now = self.time.now()
        if followed is not None:
            followed = self._register(followed)
        for event in events:
            room.publish(event, now)
        if other is not None:
            self.peers.tell(other, {"match": True})
            if other in self.rooms:
                self.rooms[other].table.match_result = mirror(room.table.match_result)
        self.replicas.publish(room, events)
        self._schedule_timer(room)
        self._notify_listeners(room, events)
        if followed is not None:
            self._notify_listeners(followed, list(followed.recent))

    def _notify_listeners(self, room: Room, events: list[Event]) -> None:
        for listener in self.listeners:
            listener(room, events)
        self.notify_followers(room, events)

    def notify_followers(self, room: Room, events: list[Event]) -> None:
        """Call those who want to know the events of every room."""
        for follower in self.followers:
            follower(room, events)

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
            self.peers.cast("rewritten", sorted(ids))
        finally:
            for room in affected:
                self.rooms.pop(room.table.id, None)
                await self.get(room.table.id)

    def _on_rewritten(self, node_id: str, ids: list[str]) -> None:
        """Forget the tables of a player whose name another server has changed."""
        for room in [room for room in self.rooms.values() if room.table.has_player(ids)]:
            room.close(GOING_AWAY)
            self.drop(room.table.id)

    # --- clocks --------------------------------------------------------------------------------------------

    def _schedule_timer(self, room: Room) -> None:
        if room.table.deadline is not None and self.is_owned(room):
            self._timers.schedule(room.table.deadline, room.table.id, room.table.version)
        else:
            self._timers.cancel(room.table.id)

    def drop(self, table_id: str) -> None:
        """Forget a room and its timer; the table is loaded again when it is needed."""
        room = self.rooms.pop(table_id, None)
        self._timers.cancel(table_id)
        if room is not None and not self.is_owned(room):
            self.replicas.unfollow(table_id)

    def _on_deadline(self, table_id: str, version: int) -> int | None:
        """End a game whose time is over; return when to check again if lag may still save it."""
        room, now = self.rooms.get(table_id), self.time.now()
        if (
            room is None
            or not self.is_owned(room)
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


def _first_cause(future: asyncio.Future[Any]) -> BaseException | None:
    """Return why a write failed: after a full disk, for example, SQLite also has no savepoint any more."""
    error = None if future.cancelled() else future.exception()
    while error is not None and error.__context__ is not None:
        error = error.__context__
    return error
