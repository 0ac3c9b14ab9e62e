"""Presence across servers: who is connected to a table elsewhere."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, NamedTuple

from taiji.rules import Seat

if TYPE_CHECKING:
    from taiji.server.cluster.peers import Peers
    from taiji.server.live.bus import NotificationBus
    from taiji.server.live.room import Room
    from taiji.server.live.rooms import RoomManager

SEND_INTERVAL_S = 0.25
REPEAT_EVERY = 20
"""After this number of intervals everything is sent again, because messages may be lost."""


class RemotePresence(NamedTuple):
    """The connections to a table at other servers: which seats, how many watchers, and the seats' lags."""

    seats: tuple[bool, bool] = (False, False)
    watchers: int = 0
    lags: tuple[int, int] = (0, 0)


NOT_CONNECTED = RemotePresence()


class PresenceMap:
    """Tells other servers who is connected here, and knows who is connected there."""

    def __init__(self, rooms: RoomManager, peers: Peers, notices: NotificationBus) -> None:
        self._rooms = rooms
        self._peers = peers
        self._notices = notices
        self._there: dict[str, dict[str, RemotePresence]] = {}
        self._changed: set[str] = set()
        peers.hear("presence", self._hear)
        rooms.presence = self

    def note(self, table_id: str) -> None:
        """Note that somebody has come or gone."""
        if not self._peers.is_alone:
            self._changed.add(table_id)

    def remote(self, table_id: str) -> RemotePresence:
        """Return who is connected to a table at other servers."""
        there = self._there.get(table_id)
        if not there:
            return NOT_CONNECTED
        parts = list(there.values())
        return RemotePresence(
            (any(part.seats[0] for part in parts), any(part.seats[1] for part in parts)),
            sum(part.watchers for part in parts),
            (min(part.lags[0] for part in parts), min(part.lags[1] for part in parts)),
        )

    def _hear(self, node_id: str, content: dict[str, Any]) -> None:
        for table_id, (first, second, watchers, *lags) in content.items():
            there = self._there.setdefault(table_id, {})
            there.pop(node_id, None)
            if first or second or watchers:
                there[node_id] = RemotePresence((first, second), watchers, (lags[0], lags[1]))
            if not there:
                del self._there[table_id]
            self._show(table_id)

    def _show(self, table_id: str) -> None:
        room = self._rooms.rooms.get(table_id)
        if room is not None and room.remote != (now := self.remote(table_id)):
            room.remote = now
            room.broadcast_presence()

    async def run(self) -> None:
        """Send what has changed, and now and then everything."""
        count = 0
        while True:
            await asyncio.sleep(SEND_INTERVAL_S)
            count += 1
            if count % REPEAT_EVERY == 0:
                self._changed |= {one for one, room in self._rooms.rooms.items() if room.subscribers}
                self._notices.announce()
                self._forget_dead()
            changed, self._changed = self._changed, set()
            if changed:
                self._peers.cast("presence", {one: _here(self._rooms.rooms.get(one)) for one in changed})

    def _forget_dead(self) -> None:
        living = self._peers.nodes
        for table_id, there in list(self._there.items()):
            for node_id in [node_id for node_id in there if node_id not in living]:
                del there[node_id]
            if not there:
                del self._there[table_id]
            self._show(table_id)


def _here(room: Room | None) -> list[Any]:
    """Return the connections to a room at this server, as they are sent."""
    if room is None:
        return [False, False, 0, 0, 0]
    seated = {subscriber.seat for subscriber in room.subscribers}
    watchers = sum(subscriber.seat is None for subscriber in room.subscribers)
    return [Seat.FIRST in seated, Seat.SECOND in seated, watchers, *(room.local_lag(seat) for seat in Seat)]
