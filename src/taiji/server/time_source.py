"""The one source of time: every clock, timer and timestamp of the server asks it; tests put in their own."""

from __future__ import annotations

import asyncio
import time
from typing import Protocol


class TimeSource(Protocol):
    """Something that tells the time and can wait."""

    def now(self) -> int:
        """The time in Unix milliseconds; it never goes back."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class SystemTimeSource:
    """The machine's time, steady while the server runs even when somebody sets the machine's clock."""

    def __init__(self) -> None:
        self._offset = time.time() - time.monotonic()

    def now(self) -> int:
        """The time in Unix milliseconds."""
        return int((self._offset + time.monotonic()) * 1000)

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)
