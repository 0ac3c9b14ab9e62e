"""One server's connection to the leases: it joins, looks, takes and releases, each in its own transaction.

Its methods wait for the database, so they run in a thread, one at a time.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import create_engine

from taiji.server.store import leases
from taiji.server.store.database import POSTGRES_LIMITS, DatabaseInUse
from taiji.server.store.leases import LEASE_MS
from taiji.server.store.process_identity import has_ended, process_identity
from taiji.server.store.shards import SHARDS, target

if TYPE_CHECKING:
    from sqlalchemy import URL

WAIT_S = 0.1
"""Between two looks at a server that must end before this one starts."""


class Sight(NamedTuple):
    """The servers and shards as the database has them."""

    shards: list[leases.Shard]
    nodes: frozenset[str]
    staying: frozenset[str]
    """Those of the servers that take shards."""


class LeaseClient:
    """The leases as one server uses them; with `shares` others use them too."""

    def __init__(self, url: URL, *, shares: bool) -> None:
        self._shares = shares
        self._address = url.render_as_string(hide_password=True)
        self._engine = create_engine(url, pool_size=1, max_overflow=0, connect_args=POSTGRES_LIMITS)

    def wait_for_others(self) -> None:
        """Wait until no server is alive that does not share, or with which this one does not."""
        began, seen = time.monotonic(), dict[str, int]()
        while True:
            with self._engine.begin() as connection:
                others = [node for node in leases.alive(connection) if not (self._shares and node.shares)]
                if not others:
                    return
                for node in others:
                    if has_ended(node.process):
                        leases.bury(connection, node.id)
                    elif node.lease_until > seen.setdefault(node.id, node.lease_until):
                        raise DatabaseInUse(f"another server is using {self._address}")
                if time.monotonic() - began > LEASE_MS / 1000:
                    leases.bury(connection)
            time.sleep(WAIT_S)

    def join(self, node_id: str) -> None:
        """Add this server under a new id."""
        with self._engine.begin() as connection:
            leases.join(connection, node_id, process_identity(), shares=self._shares)

    def renew(self, node_id: str) -> int | None:
        """Renew the lease and return the time; None if the server was declared dead."""
        with self._engine.begin() as connection:
            return leases.renew(connection, node_id)

    def bury_others(self) -> list[str]:
        """Declare the servers dead whose lease is over; return their ids."""
        with self._engine.begin() as connection:
            return leases.bury(connection)

    def look(self, node_id: str, *, is_leaving: bool) -> Sight:
        """Return who owns what, after taking free shards up to this server's share."""
        with self._engine.begin() as connection:
            leases.renew(connection, node_id)
            if is_leaving:
                leases.announce_leaving(connection, node_id)
            nodes = leases.alive(connection)
            staying = frozenset(node.id for node in nodes if not node.leaving)
            shards = {row.shard: row for row in leases.owners(connection)}
            own = sum(row.node_id == node_id for row in shards.values())
            wanted = self.share(node_id, shards.values(), staying) - own
            if wanted > 0 and any(row.node_id is None for row in shards.values()):
                shards |= {row.shard: row for row in leases.take(connection, node_id, wanted)}
        return Sight(list(shards.values()), frozenset(node.id for node in nodes), staying)

    def share(self, node_id: str, shards: Iterable[leases.Shard], staying: frozenset[str]) -> int:
        """Return how many shards a server shall own: none if it leaves and another stays."""
        if not self._shares or not staying:
            return SHARDS
        if node_id not in staying:
            return 0
        owned = Counter(dict.fromkeys(staying, 0))
        owned.update(row.node_id for row in shards if row.node_id in staying)
        return target(owned, node_id)

    def release(self, node_id: str, shards: Collection[int]) -> None:
        """Free shards of this server, which has written all that it decided."""
        with self._engine.begin() as connection:
            leases.release(connection, node_id, list(shards))

    def leave(self, node_id: str) -> None:
        """Free all shards of this server, which stops."""
        with self._engine.begin() as connection:
            leases.leave(connection, node_id)

    def close(self) -> None:
        """Disconnect; the next use connects again."""
        self._engine.dispose()
