"""The notification bus: notices to users, for the event streams of bots."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from taiji.server.contract.frames import Notice

MAX_QUEUED_NOTICES = 200


class NotificationBus:
    """Delivers notices to the subscribers of a user."""

    def __init__(self) -> None:
        self._queues: dict[asyncio.Queue[Notice | None], frozenset[str]] = {}

    @contextmanager
    def subscribe(self, ids: frozenset[str]) -> Iterator[asyncio.Queue[Notice | None]]:
        """Open a queue of the notices to these ids; None ends the stream."""
        queue: asyncio.Queue[Notice | None] = asyncio.Queue(MAX_QUEUED_NOTICES)
        self._queues[queue] = ids
        try:
            yield queue
        finally:
            del self._queues[queue]

    def is_subscribed(self, identity: str) -> bool:
        """Return whether a user has a subscriber."""
        return any(identity in ids for ids in self._queues.values())

    def publish(self, ids: Iterable[str], notice: Notice) -> None:
        """Send a notice to users; a full queue loses its oldest notice."""
        wanted = set(ids)
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
