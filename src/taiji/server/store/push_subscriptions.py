"""Rows of the browsers that receive pushes; each belongs to a session and ends with it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, or_, select, update

from taiji.server.contract.notifications import Language
from taiji.server.store.schema import sessions
from taiji.server.store.schema_talk import push_subscriptions as subscriptions
from taiji.server.store.schema_talk import server_keys

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import ColumnElement, Connection

    from taiji.server.contract.notifications import NewSubscription

MAX_DEVICES = 10
"""Browsers per player; one more replaces the oldest."""
MAX_FAILURES = 5
"""Failures in a row after which an endpoint is forgotten."""
PUSH_KEY = "push"


@dataclass(frozen=True, slots=True)
class Subscription:
    """A browser that receives pushes."""

    hash: str
    endpoint: str
    p256dh: str
    auth: str
    language: Language
    failures: int


def endpoint_hash(endpoint: str) -> str:
    """Return the key of an endpoint."""
    return hashlib.sha256(endpoint.encode()).hexdigest()


def _of_player(user_id: str) -> ColumnElement[bool]:
    mine = or_(sessions.c.account_id == user_id, sessions.c.visitor_id == user_id)
    return subscriptions.c.session_id.in_(select(sessions.c.id).where(mine))


def add(connection: Connection, user_id: str, session_id: str, new: NewSubscription, now: int) -> int:
    """Store a browser, in place of what was known of its endpoint; return the player's number of devices."""
    key = endpoint_hash(new.endpoint)
    connection.execute(delete(subscriptions).where(subscriptions.c.hash == key))
    row = {
        "hash": key,
        "session_id": session_id,
        "endpoint": new.endpoint,
        "p256dh": new.keys.p256dh,
        "auth": new.keys.auth,
        "language": new.language,
        "failures": 0,
        "created_at": now,
    }
    connection.execute(insert(subscriptions), [row])
    query = (
        select(subscriptions.c.hash).where(_of_player(user_id)).order_by(subscriptions.c.created_at.desc())
    )
    known = list(connection.execute(query).scalars())
    surplus = [one for one in known[MAX_DEVICES:] if one != key]
    if surplus:
        connection.execute(delete(subscriptions).where(subscriptions.c.hash.in_(surplus)))
    return len(known) - len(surplus)


def remove(connection: Connection, user_id: str, endpoint: str) -> int:
    """Forget a browser of a player; return the number of devices that are left."""
    wanted = (subscriptions.c.hash == endpoint_hash(endpoint), _of_player(user_id))
    connection.execute(delete(subscriptions).where(*wanted))
    return len(of_player(connection, user_id))


def of_player(connection: Connection, user_id: str) -> list[Subscription]:
    """Return the browsers of a player."""
    rows = connection.execute(select(subscriptions).where(_of_player(user_id))).mappings()
    return [Subscription(**{name: row[name] for name in Subscription.__slots__}) for row in rows]


def succeeded(connection: Connection, key: str) -> None:
    """Note that an endpoint took a push."""
    connection.execute(update(subscriptions).where(subscriptions.c.hash == key).values(failures=0))


def failed(connection: Connection, key: str, *, gone: bool) -> None:
    """Note that an endpoint did not take a push; forget it if it is gone or has failed too often."""
    worse = update(subscriptions).where(subscriptions.c.hash == key)
    connection.execute(worse.values(failures=subscriptions.c.failures + 1))
    hopeless = subscriptions.c.failures >= (1 if gone else MAX_FAILURES)
    connection.execute(delete(subscriptions).where(subscriptions.c.hash == key, hopeless))


def without_session(connection: Connection) -> list[str]:
    """Return the keys of browsers whose session has ended."""
    session = select(sessions.c.id).where(sessions.c.id == subscriptions.c.session_id)
    return list(connection.execute(select(subscriptions.c.hash).where(~session.exists())).scalars())


def forget(connection: Connection, keys: Collection[str]) -> None:
    """Forget browsers."""
    connection.execute(delete(subscriptions).where(subscriptions.c.hash.in_(sorted(keys))))


def push_key(connection: Connection) -> str | None:
    """Return the server's private key for pushes, if it has one."""
    return connection.execute(select(server_keys.c.value).where(server_keys.c.name == PUSH_KEY)).scalar()


def keep_push_key(connection: Connection, fresh: str) -> str:
    """Store a private key unless there is one, and return the one that counts."""
    known = push_key(connection)
    if known is not None:
        return known
    connection.execute(insert(server_keys), [{"name": PUSH_KEY, "value": fresh}])
    return fresh
