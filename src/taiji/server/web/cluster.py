"""One server among several: its peers, and the messages that they exchange."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from taiji.server.cluster.peers import Peers
from taiji.server.store.leased_ownership import LeasedOwnership
from taiji.server.time_source import SystemTimeSource

if TYPE_CHECKING:
    from taiji.server.cluster.bus import MessageBus
    from taiji.server.identity.cache import UserCache
    from taiji.server.identity.sessions import SessionService
    from taiji.server.identity.watch import CredentialWatch
    from taiji.server.live.resume import Takeover
    from taiji.server.settings import ServerSettings
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

RECHECK_INTERVAL_S = 5.0
"""How long a revoked credential may live on at a server that did not hear of it."""


def make_peers(settings: ServerSettings, store: Store, bus: MessageBus | None) -> Peers:
    """Return the connection to the other servers, if there are any."""
    if settings.cluster is None and bus is None:
        return Peers(store.ownership)
    from taiji.server.cluster.nats_bus import NatsBus
    from taiji.server.cluster.postgres_channel import PostgresChannel

    return Peers(store.ownership, bus or NatsBus(settings.cluster or ""), PostgresChannel(store.url))


def follow_ownership(store: Store, peers: Peers, takeover: Takeover, time: TimeSource) -> None:
    """Follow the database's time, and act on changes of ownership."""
    ownership = store.ownership
    if not isinstance(ownership, LeasedOwnership):
        return
    if isinstance(time, SystemTimeSource):
        ownership.on_time.append(time.adjust)
    ownership.on_gained += [takeover.look, peers.check_name]
    ownership.on_change.append(lambda: peers.cast("owners", None))
    peers.hear("owners", lambda *_: ownership.look_again())


def share_revocations(peers: Peers, cache: UserCache, watch: CredentialWatch) -> None:
    """Evict users and close connections at every server."""
    if not peers.is_alone:
        cache.on_evict = lambda ids: peers.cast("evict", ids)
        watch.on_end = lambda credentials: peers.cast("end", credentials)
        peers.hear("evict", lambda _, ids: cache.evict_here(*ids))
        peers.hear("end", lambda _, credentials: watch.end_here(*credentials))


async def run_recheck(sessions: SessionService) -> None:
    """Find out about revocations that this server did not hear of."""
    while True:
        await asyncio.sleep(RECHECK_INTERVAL_S)
        await sessions.recheck()
