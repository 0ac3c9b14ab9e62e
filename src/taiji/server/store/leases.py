"""Leases in PostgreSQL: which servers are alive, and which owns which shard.

A server has a new id each time it starts. Its row is renewed by every batch of its writes and by its
heartbeat; once another server has declared it dead, nothing that it still wants to write is written. Every
change of an owner counts an epoch. All times are the database's, in Unix milliseconds.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import BigInteger, cast, delete, extract, func, insert, select, update

from taiji.server.store.schema import nodes, shards

if TYPE_CHECKING:
    from sqlalchemy import Connection

LEASE_MS = 2500
"""How long a server is believed to live without a sign of life."""
FORGET_MS = 86_400_000
"""How long the row of a dead server is kept."""

_NOW = cast(extract("epoch", func.clock_timestamp()) * 1000, BigInteger)


class Shard(NamedTuple):
    """A shard: its owner if any, the number of changes of its owner, and when the last owner lived."""

    shard: int
    node_id: str | None
    epoch: int
    gone_at: int | None


class Node(NamedTuple):
    """A server that has not been declared dead."""

    id: str
    lease_until: int
    process: str
    shares: bool
    """Whether it shares the database with others."""
    leaving: bool
    """Whether it hands its shards over and takes none."""


def join(connection: Connection, node_id: str, process: str, *, shares: bool) -> None:
    """Add a server, and forget those that died long ago."""
    connection.execute(delete(nodes).where(nodes.c.dead, nodes.c.lease_until < _NOW - FORGET_MS))
    row = {"id": node_id, "process": process, "shares": shares, "dead": False}
    connection.execute(insert(nodes).values(**row, joined_at=_NOW, lease_until=_NOW + LEASE_MS))


def renew(connection: Connection, node_id: str) -> int | None:
    """Renew the lease of a server and return the time; None if the server was declared dead."""
    statement = (
        update(nodes)
        .where(nodes.c.id == node_id, ~nodes.c.dead)
        .values(lease_until=_NOW + LEASE_MS)
        .returning(nodes.c.lease_until)
    )
    until = connection.execute(statement).scalar()
    return None if until is None else until - LEASE_MS


def alive(connection: Connection) -> list[Node]:
    """Return the servers that have not been declared dead."""
    columns = (nodes.c.id, nodes.c.lease_until, nodes.c.process, nodes.c.shares, nodes.c.leaving)
    return [Node(*row) for row in connection.execute(select(*columns).where(~nodes.c.dead))]


def bury(connection: Connection, node_id: str | None = None) -> list[str]:
    """Declare servers dead whose lease is over, or a certain one; free their shards and return their ids."""
    which = nodes.c.lease_until < _NOW if node_id is None else nodes.c.id == node_id
    died = update(nodes).where(~nodes.c.dead, which).values(dead=True)
    dying = connection.execute(died.returning(nodes.c.id, nodes.c.lease_until)).all()
    for identity, until in dying:
        _free(connection, identity, until - LEASE_MS)
    return [identity for identity, _ in dying]


def take(connection: Connection, node_id: str, count: int) -> list[Shard]:
    """Give a server up to this many free shards, in a transaction that has renewed its lease."""
    free = select(shards.c.shard).where(shards.c.node_id.is_(None)).order_by(func.random()).limit(count)
    statement = (
        update(shards)
        .where(shards.c.shard.in_(free.with_for_update(skip_locked=True).scalar_subquery()))
        .values(node_id=node_id, epoch=shards.c.epoch + 1)
        .returning(shards)
    )
    return [Shard(*row) for row in connection.execute(statement)]


def release(connection: Connection, node_id: str, released: Collection[int]) -> None:
    """Free shards of a server, which has written all that it decided."""
    _free(connection, node_id, _NOW, released)


def announce_leaving(connection: Connection, node_id: str) -> None:
    """Let the others count on the shards of a server that is about to stop."""
    connection.execute(update(nodes).where(nodes.c.id == node_id, ~nodes.c.leaving).values(leaving=True))


def leave(connection: Connection, node_id: str) -> None:
    """Free all shards of a server that stops."""
    _free(connection, node_id, _NOW)
    connection.execute(update(nodes).where(nodes.c.id == node_id).values(dead=True))


def _free(connection: Connection, node_id: str, gone_at: object, some: Collection[int] | None = None) -> None:
    statement = update(shards).where(shards.c.node_id == node_id)
    if some is not None:
        statement = statement.where(shards.c.shard.in_(sorted(some)))
    connection.execute(statement.values(node_id=None, epoch=shards.c.epoch + 1, gone_at=gone_at))


def owners(connection: Connection) -> list[Shard]:
    """Return all shards."""
    return [Shard(*row) for row in connection.execute(select(shards))]
