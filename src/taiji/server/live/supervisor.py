"""The supervisor of background loops: a failure is logged with its cause, and the loop starts again."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from taiji.server.contract.server_info import TaskHealth
from taiji.server.store.writer import StoreError

if TYPE_CHECKING:
    from taiji.server.time_source import TimeSource

log = logging.getLogger("taiji.server")

RESTART_DELAYS_S = (1.0, 2.0, 4.0, 8.0, 15.0)
"""The pause before each restart in a row; the last one repeats."""
STABLE_MS = 60_000
"""A loop that has run for this long starts again with the shortest pause."""

Loop = Callable[[], Awaitable[None]]


class Supervisor:
    """Runs loops that must not end before the server does."""

    def __init__(self, time: TimeSource) -> None:
        self._time = time
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._failures: dict[str, int] = {}
        self._waiting: dict[str, str] = {}
        """The loops that wait for their restart, each with the type of its error."""

    def start(self, name: str, loop: Loop) -> None:
        """Start a loop under a name for the log and the health."""
        assert name not in self._tasks
        self._failures[name] = 0
        self._tasks[name] = asyncio.create_task(self._run(name, loop), name=name)

    async def _run(self, name: str, loop: Loop) -> None:
        attempts = 0
        while True:
            began = self._time.now()
            try:
                await loop()
                raise RuntimeError("the loop has ended")  # noqa: TRY301 - logged like any other failure
            except Exception as error:  # noqa: BLE001 - logged below
                if self._time.now() - began >= STABLE_MS:
                    attempts = 0
                delay_s = RESTART_DELAYS_S[min(attempts, len(RESTART_DELAYS_S) - 1)]
                attempts += 1
                self._failures[name] += 1
                self._waiting[name] = type(error).__name__
                self._log(name, delay_s, error)
            await self._time.sleep(delay_s)
            del self._waiting[name]

    @staticmethod
    def _log(name: str, delay_s: float, error: Exception) -> None:
        """Log a failure with its cause; a database that is away needs no traceback from each loop."""
        if isinstance(error, SQLAlchemyError | StoreError):
            cause = str(error).partition("\n")[0]
            log.error("background task %s failed, restart in %.0f s: %s", name, delay_s, cause)
        else:
            log.error("background task %s failed, restart in %.0f s", name, delay_s, exc_info=error)

    def health(self) -> dict[str, TaskHealth]:
        """Return the state of each loop, and how often it has failed."""
        return {
            name: TaskHealth(running=name not in self._waiting, failures=count, error=self._waiting.get(name))
            for name, count in self._failures.items()
        }

    async def close(self) -> None:
        """End all loops."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._tasks.clear()
