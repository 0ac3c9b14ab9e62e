"""A room: a table in memory and the connections that look at it."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from typing import Any, Protocol

from taiji.rules import Seat
from taiji.server.domain.table import Event, Table, seat_name
from taiji.server.domain.views import table_view

RECENT_EVENTS = 32
"""Somebody who missed no more than this gets events; others a snapshot."""


def dump(message: dict[str, Any]) -> str:
    """Write a message as compact JSON."""
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False)


class Subscriber(Protocol):
    """A connection to a room."""

    seat: Seat | None
    ids: frozenset[str]

    def send(self, text: str) -> None:
        """Put a message into the outbox."""
        ...

    def close(self, code: int) -> None:
        """End the connection."""
        ...

    @property
    def lag(self) -> int:
        """The measured one-way lag in milliseconds."""
        ...


class Room:
    """A table and who looks at it. Everything here happens on the event loop."""

    def __init__(self, table: Table, recent: list[Event], invite: str | None = None) -> None:
        self.table = table
        self.invite = invite
        """The secret of the join link, while a seat is free."""
        self.recent: deque[Event] = deque(recent[-RECENT_EVENTS:], RECENT_EVENTS)
        self.subscribers: set[Subscriber] = set()
        self.thinking = False
        self.pending: asyncio.Future[Any] | None = None
        """The last write under way; whoever is shown the table waits for it."""
        self.last_used = 0
        self.is_closed = False

    async def wait_persisted(self) -> None:
        """Wait until all that the table shows is on disk."""
        while self.pending is not None and not self.pending.done():
            await asyncio.wait({self.pending})

    def presence(self) -> dict[str, Any]:
        """Return who is connected."""
        seated = {member.seat for member in self.subscribers}
        return {
            **{seat_name(seat): seat in seated or self.table.computer is seat for seat in Seat},
            "watchers": sum(member.seat is None for member in self.subscribers),
        }

    def view(self, ids: frozenset[str], now: int, invite: str | None = None) -> dict[str, Any]:
        """Return the table as somebody sees it."""
        return table_view(
            self.table,
            now,
            your_seat=self.table.find_seat(ids),
            presence=self.presence(),
            thinking=self.thinking,
            invite=invite,
        )

    def events_since(self, after: int) -> list[Event] | None:
        """Return the events after a version, or None where a snapshot is needed."""
        if not 0 < after <= self.table.version:
            return None
        events = [event for event in self.recent if event.version > after]
        return events if len(events) == self.table.version - after else None

    def enter(self, member: Subscriber) -> None:
        """Let a connection in, and tell the others."""
        self.subscribers.add(member)
        self.broadcast_presence()

    def leave(self, member: Subscriber) -> None:
        """Let a connection go, and tell the others."""
        if member in self.subscribers:
            self.subscribers.discard(member)
            self.broadcast_presence()

    def broadcast_presence(self) -> None:
        """Tell everybody who is here."""
        self.broadcast({"type": "presence", **self.presence()})

    def set_thinking(self, on: bool) -> None:
        """Tell everybody whether the computer thinks."""
        if self.thinking is not on:
            self.thinking = on
            self.broadcast({"type": "thinking", "on": on})

    def broadcast(self, message: dict[str, Any]) -> None:
        """Send a message to everybody."""
        if self.subscribers:
            text = dump(message)
            for member in tuple(self.subscribers):
                member.send(text)

    def publish(self, event: Event, now: int) -> None:
        """Tell everybody of an event that is on disk."""
        self.recent.append(event)
        for member in self.subscribers:
            member.seat = (
                self.table.find_seat(member.ids) if event.event_type in ("join", "seat") else member.seat
            )
        self.broadcast(event.to_wire(now))

    def min_lag(self, seat: Seat) -> int:
        """Return the least lag among the connections of a seat."""
        return min((member.lag for member in self.subscribers if member.seat is seat), default=0)

    def close(self, code: int) -> None:
        """End all connections."""
        self.is_closed = True
        for member in tuple(self.subscribers):
            member.close(code)
