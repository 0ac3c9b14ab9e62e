"""The notification bus: notices to users, for the event streams of bots."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter

from taiji.server.contract.frames import Notice

if TYPE_CHECKING:
    from taiji.server.cluster.peers import Peers

_NOTICE: TypeAdapter[Notice] = TypeAdapter(Notice)

MAX_QUEUED_NOTICES = 200


class NotificationBus:
    """Delivers notices to the subscribers of a user."""

    def __init__(self, peers: Peers | None = None) -> None:
        self._peers = peers
        self._elsewhere: dict[str, frozenset[str]] = {}
        """The subscribers at other servers."""
        if peers is not None:
            peers.hear("notice", self._hear_notice)
            peers.hear("subscribers", self._hear_subscribers)
        self._queues: dict[asyncio.Queue[Notice | None], frozenset[str]] = {}

    @contextmanager
    def subscribe(self, ids: frozenset[str]) -> Iterator[asyncio.Queue[Notice | None]]:
        """Open a queue of the notices to these ids; None ends the stream."""
        queue: asyncio.Queue[Notice | None] = asyncio.Queue(MAX_QUEUED_NOTICES)
        self._queues[queue] = ids
        self.announce()
        try:
            yield queue
        finally:
            del self._queues[queue]
            self.announce()

    def announce(self) -> None:
        """Tell other servers who has a subscriber here."""
        if self._peers is not None:
            self._peers.cast("subscribers", sorted(frozenset[str]().union(*self._queues.values())))

    def _hear_subscribers(self, node_id: str, ids: list[str]) -> None:
        self._elsewhere[node_id] = frozenset(ids)
        if self._peers is not None:
            for gone in self._elsewhere.keys() - self._peers.nodes:
                del self._elsewhere[gone]

    def _hear_notice(self, node_id: str, content: dict[str, Any]) -> None:
        self._deliver(set(content["ids"]), _NOTICE.validate_python(content["notice"]))

    def is_subscribed(self, identity: str) -> bool:
        """Return whether a user has a subscriber."""
        return any(identity in ids for ids in (*self._queues.values(), *self._elsewhere.values()))

    def publish(self, ids: Iterable[str], notice: Notice) -> None:
        """Send a notice to users; a full queue loses its oldest notice."""
        wanted = set(ids)
        self._deliver(wanted, notice)
        if self._peers is not None and not self._peers.is_alone:
            content = {"ids": sorted(wanted), "notice": notice.model_dump(mode="json")}
            self._peers.cast("notice", content)

    def _deliver(self, wanted: set[str], notice: Notice) -> None:
        for queue, theirs in self._queues.items():
            if wanted & theirs:
                if queue.full():
                    queue.get_nowait()
                queue.put_nowait(notice)

    def close(self) -> None:
        """End all streams."""
        for queue in self._queues:
            self.end(queue)

    @staticmethod
    def end(queue: asyncio.Queue[Notice | None]) -> None:
        """End one stream at once; its queued notices are not delivered."""
        while not queue.empty():
            queue.get_nowait()
        queue.put_nowait(None)
