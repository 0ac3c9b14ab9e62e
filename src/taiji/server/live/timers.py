"""Timers of many clocks: one task that sleeps until the earliest deadline."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from taiji.server.time_source import TimeSource

MAX_SLEEP_S = 3600.0


class Timers:
    """Calls back with a table and version at a deadline; the callback ignores versions that have passed."""

    def __init__(self, time: TimeSource, callback: Callable[[str, int], int | None]) -> None:
        self._time = time
        self._callback = callback
        """Takes the table and version; returns when to call again, or None."""
        self._due: list[tuple[int, str, int]] = []
        self._earlier = asyncio.Event()

    def schedule(self, at: int, table_id: str, version: int) -> None:
        """Schedule a callback."""
        heapq.heappush(self._due, (at, table_id, version))
        if self._due[0][0] == at:
            self._earlier.set()

    async def run(self) -> None:
        """Run the callbacks when they are due."""
        while True:
            self._earlier.clear()
            wait = (self._due[0][0] - self._time.now()) / 1000 if self._due else MAX_SLEEP_S
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
        while self._due and self._due[0][0] <= now:
            _, table_id, version = heapq.heappop(self._due)
            again = self._callback(table_id, version)
            if again is not None:
                heapq.heappush(self._due, (max(again, now + 1), table_id, version))
