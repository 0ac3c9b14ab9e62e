"""A room: a table in memory and the connections that look at it."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from typing import Any, Protocol

from taiji.rules import Seat
from taiji.server.table import Event, Table, seat_name
from taiji.server.views import table_view

RECENT_EVENTS = 32
"""Somebody who missed no more than this gets events; others a snapshot."""


def dump(message: dict[str, Any]) -> str:
    """Write a message as compact JSON."""
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False)


class Member(Protocol):
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
        self.members: set[Member] = set()
        self.thinking = False
        self.pending: asyncio.Future[Any] | None = None
        """The last write under way; whoever is shown the table waits for it."""
        self.touched = 0
        self.dead = False

    async def settle(self) -> None:
        """Wait until all that the table shows is on disk."""
        while self.pending is not None and not self.pending.done():
            await asyncio.wait({self.pending})

    def presence(self) -> dict[str, Any]:
        """Return who is connected."""
        seated = {member.seat for member in self.members}
        return {
            **{seat_name(seat): seat in seated or self.table.computer is seat for seat in Seat},
            "watchers": sum(member.seat is None for member in self.members),
        }

    def view(self, ids: frozenset[str], now: int, invite: str | None = None) -> dict[str, Any]:
        """Return the table as somebody sees it."""
        return table_view(
            self.table,
            now,
            you=self.table.seat_of(ids),
            presence=self.presence(),
            thinking=self.thinking,
            invite=invite,
        )

    def missed(self, after: int) -> list[Event] | None:
        """Return the events after a version, or None where a snapshot is needed."""
        if not 0 < after <= self.table.version:
            return None
        events = [event for event in self.recent if event.version > after]
        return events if len(events) == self.table.version - after else None

    def enter(self, member: Member) -> None:
        """Let a connection in, and tell the others."""
        self.members.add(member)
        self.tell_presence()

    def leave(self, member: Member) -> None:
        """Let a connection go, and tell the others."""
        if member in self.members:
            self.members.discard(member)
            self.tell_presence()

    def tell_presence(self) -> None:
        """Tell everybody who is here."""
        self.tell({"type": "presence", **self.presence()})

    def set_thinking(self, on: bool) -> None:
        """Tell everybody whether the computer thinks."""
        if self.thinking is not on:
            self.thinking = on
            self.tell({"type": "thinking", "on": on})

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message to everybody."""
        if self.members:
            text = dump(message)
            for member in tuple(self.members):
                member.send(text)

    def publish(self, event: Event, now: int) -> None:
        """Tell everybody of an event that is on disk."""
        self.recent.append(event)
        for member in self.members:
            member.seat = self.table.seat_of(member.ids) if event.kind in ("join", "seat") else member.seat
        self.tell(event.to_wire(now))

    def lag_of(self, seat: Seat) -> int:
        """Return the least lag among the connections of a seat."""
        return min((member.lag for member in self.members if member.seat is seat), default=0)

    def close(self, code: int) -> None:
        """End all connections."""
        self.dead = True
        for member in tuple(self.members):
            member.close(code)
