"""A room: a table in memory and the connections that follow it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from taiji.rules import Seat
from taiji.server.contract.events import StoredDeviceAdded, StoredDeviceRemoved, StoredJoined
from taiji.server.contract.frames import PresenceFrame, ThinkingFrame
from taiji.server.contract.tables import Presence, TableInfo
from taiji.server.domain.table import Event, Table
from taiji.server.domain.views import table_view
from taiji.server.identity.watch import SESSION_ENDED
from taiji.server.live.presence import NOT_CONNECTED

if TYPE_CHECKING:
    from taiji.server.contract.messages import View
    from taiji.server.store.ownership import Term

RECENT_EVENTS = 32
"""A client that missed at most this many events receives them; others receive a snapshot."""


class Subscriber(Protocol):
    """A connection to a room."""

    seat: Seat | None
    ids: frozenset[str]

    def send(self, text: str) -> None:
        """Queue a message."""
        ...

    def close(self, code: int) -> None:
        """Close the connection."""
        ...

    @property
    def lag(self) -> int:
        """The measured lag in milliseconds."""
        ...


class Room:
    """A table and its subscribers; used only on the event loop."""

    def __init__(self, table: Table, recent: list[Event], invite: str | None = None) -> None:
        self.table = table
        self.invite = invite
        """The secret of the join link, while a seat is free."""
        self.recent: deque[Event] = deque(recent[-RECENT_EVENTS:], RECENT_EVENTS)
        self.subscribers: set[Subscriber] = set()
        self.thinking = False
        self.pending: asyncio.Future[Any] | None = None
        """The last write in progress; the table is not shown before it ends."""
        self.last_used = 0
        self.is_closed = False
        self.remote = NOT_CONNECTED
        """The connections at other servers."""
        self.on_presence: Callable[[str], None] | None = None
        self.publish_remote: Callable[[dict[str, Any]], None] | None = None
        """Tells the followers of the table at other servers."""
        self.term: Term | None = None
        """The ownership under which the table was read; the room decides nothing under another."""

    async def wait_persisted(self) -> None:
        """Wait until the current state of the table is on disk, and published."""
        waited = None
        while self.pending is not waited and self.pending is not None:
            waited = self.pending
            # Also if it is done: its own callback publishes, and runs before this returns.
            await asyncio.wait({waited})

    def presence(self) -> Presence:
        """Return which seats are connected, and the number of watchers."""
        seated = {subscriber.seat for subscriber in self.subscribers}
        seated |= {seat for seat in Seat if self.remote.seats[seat]}
        computer = self.table.computer
        first, second = (seat in seated or computer is seat for seat in Seat)
        return Presence(first=first, second=second, watchers=self.watchers)

    @property
    def watchers(self) -> int:
        """The number of watchers, at all servers; lists of tables ask for nothing else."""
        return sum(subscriber.seat is None for subscriber in self.subscribers) + self.remote.watchers

    def view(self, ids: frozenset[str], now: int) -> TableInfo:
        """Return the table as a visitor with these ids sees it."""
        return table_view(
            self.table,
            now,
            your_seat=self.table.find_seat(ids),
            presence=self.presence(),
            thinking=self.thinking,
            joinable=self.table.is_joinable(ids),
            invite=self._invite_path(ids),
        )

    def _invite_path(self, ids: frozenset[str]) -> str | None:
        """Return the path of the join link, for the creator and while a seat is free."""
        table = self.table
        if self.invite is None or table.status != "waiting" or table.settings.creator not in ids:
            return None
        return f"/join#{self.invite}"

    def events_since(self, after: int) -> list[Event] | None:
        """Return the events after a version, or None if a snapshot is needed."""
        if not 0 < after <= self.table.version:
            return None
        events = [event for event in self.recent if event.version > after]
        return events if len(events) == self.table.version - after else None

    def enter(self, subscriber: Subscriber) -> None:
        """Add a connection."""
        self.subscribers.add(subscriber)
        self._note_presence()

    def leave(self, subscriber: Subscriber) -> None:
        """Remove a connection."""
        if subscriber in self.subscribers:
            self.subscribers.discard(subscriber)
            self._note_presence()

    def _note_presence(self) -> None:
        if self.on_presence is not None:
            self.on_presence(self.table.id)
        self.broadcast_presence()

    def broadcast_presence(self) -> None:
        """Broadcast who is connected."""
        presence = self.presence()
        self.broadcast(
            PresenceFrame(first=presence.first, second=presence.second, watchers=presence.watchers)
        )

    def set_thinking(self, on: bool) -> None:
        """Broadcast whether the computer is thinking, if that has changed."""
        if self.thinking is not on:
            self.thinking = on
            self.broadcast(ThinkingFrame(on=on))
            if self.publish_remote is not None:
                self.publish_remote({"thinking": on})

    def broadcast(self, frame: View) -> None:
        """Send a frame to all subscribers."""
        if self.subscribers:
            text = frame.model_dump_json()
            for subscriber in tuple(self.subscribers):
                subscriber.send(text)

    def publish(self, event: Event, now: int) -> None:
        """Broadcast an event that is on disk."""
        self.recent.append(event)
        if isinstance(event.data, StoredJoined | StoredDeviceAdded):
            for subscriber in self.subscribers:
                subscriber.seat = self.table.find_seat(subscriber.ids)
        self.broadcast(event.frame(now))
        if isinstance(event.data, StoredDeviceRemoved):
            for subscriber in tuple(self.subscribers):
                if event.data.user_id in subscriber.ids and self.table.find_seat(subscriber.ids) is None:
                    subscriber.close(SESSION_ENDED)

    def local_lag(self, seat: Seat) -> int:
        """Return the lowest lag among the connections of a seat at this server."""
        return min((s.lag for s in self.subscribers if s.seat is seat), default=0)

    def min_lag(self, seat: Seat) -> int:
        """Return the lowest lag among the connections of a seat."""
        if self.remote.seats[seat] and not any(s.seat is seat for s in self.subscribers):
            return self.remote.lags[seat]
        return self.local_lag(seat)

    def close(self, code: int) -> None:
        """Close all connections."""
        self.is_closed = True
        for subscriber in tuple(self.subscribers):
            subscriber.close(code)
