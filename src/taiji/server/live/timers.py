"""Timers of many clocks: one task that sleeps until the earliest deadline."""

from __future__ import annotations

import asyncio
import heapq
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from taiji.server.time_source import TimeSource

log = logging.getLogger("taiji.server")

MAX_SLEEP_S = 3600.0
RETRY_MS = 1000
"""When a callback that failed is called again."""
MIN_COMPACTED = 64


class Timer(NamedTuple):
    """A deadline of a table at a version."""

    at: int
    table_id: str
    version: int


class Timers:
    """Calls back with a table and version at a deadline; a table has one timer, the last that was set."""

    def __init__(self, time: TimeSource, callback: Callable[[str, int], int | None]) -> None:
        self._time = time
        self._callback = callback
        """Takes the table and version; returns when to call again, or None."""
        self._set: dict[str, Timer] = {}
        self._heap: list[Timer] = []
        """The timers that are set, and replaced ones until they are due or more than half of all."""
        self._earlier = asyncio.Event()

    def __len__(self) -> int:
        return len(self._set)

    def schedule(self, at: int, table_id: str, version: int) -> None:
        """Set the timer of a table, in place of an earlier one."""
        timer = Timer(at, table_id, version)
        self._set[table_id] = timer
        heapq.heappush(self._heap, timer)
        self._compact()
        if self._heap[0].at == at:
            self._earlier.set()

    def cancel(self, table_id: str) -> None:
        """Remove the timer of a table, if it has one."""
        if self._set.pop(table_id, None) is not None:
            self._compact()

    def _compact(self) -> None:
        if len(self._heap) > max(MIN_COMPACTED, 2 * len(self._set)):
            self._heap = list(self._set.values())
            heapq.heapify(self._heap)

    async def run(self) -> None:
        """Run the callbacks when they are due."""
        while True:
            self._earlier.clear()
            wait = (self._heap[0].at - self._time.now()) / 1000 if self._heap else MAX_SLEEP_S
            sleeping = asyncio.create_task(self._time.sleep(min(max(0.0, wait), MAX_SLEEP_S)))
            woken = asyncio.create_task(self._earlier.wait())
            try:
                await asyncio.wait({sleeping, woken}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                sleeping.cancel()
                woken.cancel()
            self._fire_due()

    def _fire_due(self) -> None:
        now = self._time.now()
        while self._heap and self._heap[0].at <= now:
            timer = heapq.heappop(self._heap)
            if self._set.get(timer.table_id) is not timer:
                continue
            del self._set[timer.table_id]
            try:
                again = self._callback(timer.table_id, timer.version)
            except Exception:
                log.exception("the clock of table %s could not be checked", timer.table_id)
                again = now + RETRY_MS
            if again is not None:
                self.schedule(max(again, now + 1), timer.table_id, timer.version)
