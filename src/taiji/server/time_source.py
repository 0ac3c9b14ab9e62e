"""The time source of every clock, timer and timestamp; tests inject their own."""

from __future__ import annotations

import asyncio
import time
from typing import Protocol


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

    def now(self) -> int:
        """Return the time in Unix milliseconds."""
        return int((self._offset + time.monotonic()) * 1000)

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)
