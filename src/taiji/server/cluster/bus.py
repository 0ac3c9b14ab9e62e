"""The bus between servers: messages that may be lost, and requests that may stay without an answer.

Only the database is authoritative: a lost message costs time, never a move.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

Message = dict[str, Any]
Hear = Callable[[Message], None]
Answer = Callable[[Message], Awaitable[Message]]


class Unreachable(Exception):
    """A request that nobody answered; it may have been executed nevertheless."""


class MessageBus(Protocol):
    """Publishes to subjects, and asks for answers."""

    on_reconnect: list[Callable[[], None]]
    """Called when messages may have been lost."""

    @property
    def is_connected(self) -> bool:
        """Whether messages are likely to arrive."""
        ...

    async def open(self) -> None:
        """Connect; without a connection the bus goes on trying."""
        ...

    async def close(self) -> None:
        """Disconnect."""
        ...

    def publish(self, subject: str, message: Message) -> None:
        """Send a message to all subscribers of a subject, without waiting."""
        ...

    async def request(self, subject: str, message: Message, timeout_s: float) -> Message:
        """Return the answer of one subscriber, or raise `Unreachable`."""
        ...

    async def subscribe(self, subject: str, hear: Hear) -> None:
        """Receive the messages of a subject, in order."""
        ...

    async def serve(self, subject: str, answer: Answer, group: str = "") -> None:
        """Answer the requests to a subject; of a group one member receives each."""
        ...

    async def unsubscribe(self, subject: str) -> None:
        """Receive nothing of a subject any more."""
        ...


class LocalHub:
    """Connects the buses of one process; a test can cut them off."""

    def __init__(self) -> None:
        self.buses: list[LocalBus] = []


class LocalBus:
    """A bus within the process: the default, with nobody else on it."""

    def __init__(self, hub: LocalHub | None = None) -> None:
        self.on_reconnect: list[Callable[[], None]] = []
        self.is_connected = True
        self._hub = hub or LocalHub()
        self._hub.buses.append(self)
        self._hearing: dict[str, Hear] = {}
        self._serving: dict[str, Answer] = {}

    async def open(self) -> None:
        """Do nothing."""

    async def close(self) -> None:
        """Leave the hub."""
        if self in self._hub.buses:
            self._hub.buses.remove(self)

    def reconnect(self, connected: bool) -> None:
        """Cut this bus off, or connect it again."""
        self.is_connected = connected
        for callback in self.on_reconnect if connected else ():
            callback()

    def publish(self, subject: str, message: Message) -> None:
        """Send a message to all subscribers of a subject."""
        for bus in self._others():
            if subject in bus._hearing:
                bus._hearing[subject](message)

    async def request(self, subject: str, message: Message, timeout_s: float) -> Message:
        """Return the answer of one subscriber."""
        for bus in self._others():
            if subject in bus._serving:
                try:
                    async with asyncio.timeout(timeout_s):
                        return await bus._serving[subject](message)
                except TimeoutError:
                    break
        raise Unreachable(subject)

    async def subscribe(self, subject: str, hear: Hear) -> None:
        """Receive the messages of a subject."""
        self._hearing[subject] = hear

    async def serve(self, subject: str, answer: Answer, group: str = "") -> None:
        """Answer the requests to a subject."""
        self._serving[subject] = answer

    async def unsubscribe(self, subject: str) -> None:
        """Receive nothing of a subject any more."""
        self._hearing.pop(subject, None)
        self._serving.pop(subject, None)

    def _others(self) -> list[LocalBus]:
        return [bus for bus in self._hub.buses if self.is_connected and bus.is_connected and bus is not self]
