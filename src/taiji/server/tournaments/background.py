"""Background jobs that must succeed in the end: they are repeated until they do."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from itertools import chain, repeat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from taiji.server.time_source import TimeSource

log = logging.getLogger("taiji.server")

RETRY_DELAYS_S = (1, 2, 5, 15)
MAX_RETRY_DELAY_S = 60


class BackgroundJobs:
    """Runs jobs that are safe to repeat, each until it succeeds or the server stops."""

    def __init__(self, time: TimeSource) -> None:
        self._time = time
        self._closing = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def is_closing(self) -> bool:
        """Whether the server is stopping."""
        return self._closing.is_set()

    def start(self, name: str, job: Callable[[], Awaitable[None]]) -> None:
        """Start a job; `name` is for the log."""
        task = asyncio.create_task(self._run(name, job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def settle(self) -> None:
        """Wait for the jobs in progress, but not for a database that fails."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=RETRY_DELAYS_S[0])

    async def close(self) -> None:
        """Wait for the attempts in progress; later ones are left to the next start of the server."""
        self._closing.set()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run(self, name: str, job: Callable[[], Awaitable[None]]) -> None:
        for delay_s in chain(RETRY_DELAYS_S, repeat(MAX_RETRY_DELAY_S)):
            try:
                await job()
            except Exception:
                log.exception("%s failed, next attempt in %d s", name, delay_s)
            else:
                return
            if await self._closes_within(delay_s):
                return

    async def _closes_within(self, seconds: float) -> bool:
        """Wait, and return whether the server is stopping."""
        waiting = {
            asyncio.ensure_future(self._time.sleep(seconds)),
            asyncio.ensure_future(self._closing.wait()),
        }
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in waiting:
                one.cancel()
        return self._closing.is_set()
