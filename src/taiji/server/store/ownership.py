"""Ownership: which tables and tournaments this server decides.

On SQLite one server owns everything, by a lock on the file. On PostgreSQL a server owns what its lease
covers.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple, Protocol

from taiji.server.store.writer import StoreError

if TYPE_CHECKING:
    from sqlalchemy import Connection


class Fenced(StoreError):
    """Another server has taken over: nothing of this is written."""


class Term(NamedTuple):
    """One uninterrupted ownership of a shard."""

    epoch: int
    generation: int


class Renewal(NamedTuple):
    """A renewal of the lease: when it began by the monotonic clock, and the database's time in ms."""

    began: float
    now: int


OnGain = Callable[[Mapping[int, int | None]], Awaitable[None]]
"""Takes the shards, each with the milliseconds for which nobody owned it, None if never owned before."""
OnLoss = Callable[[Collection[int]], Awaitable[None]]


class Ownership(Protocol):
    """What this server owns."""

    on_gain: list[OnGain]
    """Called before anything in the gained shards is decided."""
    on_loss: list[OnLoss]
    """Called when shards were lost, and before they are released."""

    @property
    def token(self) -> str | None:
        """What travels with each decision to the writer; None where nothing is checked."""
        ...

    def term(self, identity: str) -> Term | None:
        """Return the current ownership of a table or tournament, or None if another server may own it."""
        ...

    def owner(self, identity: str) -> str | None:
        """Return the server that owns a table or tournament, as far as known."""
        ...

    def fence(self, connection: Connection, token: str | None) -> Renewal | None:
        """Renew the lease within a transaction, or raise `Fenced`."""
        ...

    def renewed(self, renewal: Renewal) -> None:
        """Take note of a renewal that is on disk."""
        ...

    def prepare(self) -> None:
        """Join the servers of the database, or raise `DatabaseError`."""
        ...

    async def open(self) -> None:
        """Take over what is free, and begin to renew the lease."""
        ...

    async def wait_until_owner(self) -> None:
        """Wait a few seconds at most until this server owns something, unless it stops."""
        ...

    async def hand_over(self) -> None:
        """Let other servers take over everything, if there are any, before this one stops."""
        ...

    async def settle(self) -> None:
        """Tell no changes any more, before what hears of them is closed."""
        ...

    async def close(self) -> None:
        """Release everything."""
        ...


class SoleOwnership:
    """This server owns everything."""

    token = None

    def __init__(self) -> None:
        self.on_gain: list[OnGain] = []
        self.on_loss: list[OnLoss] = []

    def term(self, identity: str) -> Term | None:
        """Return the one ownership that there is."""
        return Term(0, 0)

    def owner(self, identity: str) -> str | None:
        """Return None: there is no other server."""
        return None

    def fence(self, connection: Connection, token: str | None) -> Renewal | None:
        """Let every transaction pass."""
        return None

    def renewed(self, renewal: Renewal) -> None:
        """Do nothing."""

    def prepare(self) -> None:
        """Do nothing: the lock on the file is enough."""

    async def open(self) -> None:
        """Do nothing."""

    async def wait_until_owner(self) -> None:
        """Do nothing: this server owns everything."""

    async def hand_over(self) -> None:
        """Do nothing: there is no other server."""

    async def settle(self) -> None:
        """Do nothing: nothing changes."""

    async def close(self) -> None:
        """Do nothing."""
