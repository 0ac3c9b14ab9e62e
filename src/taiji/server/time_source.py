"""The time source of every clock, timer and timestamp; tests inject their own."""

from __future__ import annotations

import asyncio
import time
from typing import Protocol

MAX_DIFFERENCE_S = 0.05
"""How much the clocks of two servers may differ."""


class TimeSource(Protocol):
    """A clock with a sleep function."""

    def now(self) -> int:
        """Return the time in Unix milliseconds; it never decreases."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class SystemTimeSource:
    """The system time, monotonic while the server runs even if the system clock is set."""

    def __init__(self) -> None:
        self._offset = time.time() - time.monotonic()
        self._last = 0

    def now(self) -> int:
        """Return the time in Unix milliseconds."""
        self._last = max(self._last, int((self._offset + time.monotonic()) * 1000))
        return self._last

    def adjust(self, now: int, after: float, before: float) -> None:
        """Follow the time of a database that several servers share.

        It was `now` there between two monotonic times; while it answers slowly this clock goes on as it was.
        """
        earliest, latest = now / 1000 - before, now / 1000 - after
        if not earliest - MAX_DIFFERENCE_S <= self._offset <= latest + MAX_DIFFERENCE_S:
            self._offset = (earliest + latest) / 2

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)
