"""Notices to people rather than to tables: for the streams of bots and for lists that changed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

MAX_QUEUED_NOTICES = 200


class NotificationBus:
    """Carries notices to whoever listens for somebody."""

    def __init__(self) -> None:
        self._queues: dict[asyncio.Queue[dict[str, Any] | None], frozenset[str]] = {}

    @contextmanager
    def subscribe(self, ids: frozenset[str]) -> Iterator[asyncio.Queue[dict[str, Any] | None]]:
        """Open a queue of the notices to somebody; None in it means that the server ends."""
        queue: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue(MAX_QUEUED_NOTICES)
        self._queues[queue] = ids
        try:
            yield queue
        finally:
            del self._queues[queue]

    def is_subscribed(self, identity: str) -> bool:
        """Tell whether anybody listens for somebody."""
        return any(identity in ids for ids in self._queues.values())

    def publish(self, ids: Iterable[str], notice: dict[str, Any]) -> None:
        """Send a notice to somebody; one who does not read loses the oldest."""
        wanted = set(ids)
        for queue, theirs in self._queues.items():
            if wanted & theirs:
                if queue.full():
                    queue.get_nowait()
                queue.put_nowait(notice)

    def close(self) -> None:
        """End all streams."""
        for queue in self._queues:
            if queue.full():
                queue.get_nowait()
            queue.put_nowait(None)
