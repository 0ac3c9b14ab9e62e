"""Readiness: whether the database can be read and written, checked at most once per second."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from taiji.server.contract.errors import ApiError
from taiji.server.store import queries
from taiji.server.store.writer import StoreError

if TYPE_CHECKING:
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

ROW = "ready"
"""The row of the heartbeats that a check writes."""
KEEP_MS = 1000
TIMEOUT_S = 5.0


class Readiness:
    """The result of the last check, shared by all who ask: a stranger must not cause a write per request."""

    def __init__(self, store: Store, time: TimeSource) -> None:
        self._store = store
        self._time = time
        self._checked_at = 0
        self._problem: str | None = None
        self._checking: asyncio.Task[None] | None = None
        self.is_draining = False

    async def check(self) -> None:
        """Raise `ApiError` unless the server can take requests."""
        if self.is_draining:
            raise ApiError("unavailable", "the server is stopping")
        if self._time.now() - self._checked_at >= KEEP_MS:
            if self._checking is None or self._checking.done():
                self._checking = asyncio.create_task(self._check())
            await asyncio.shield(self._checking)
        if self._problem is not None:
            raise ApiError("unavailable", self._problem)

    async def _check(self) -> None:
        now = self._time.now()
        try:
            async with asyncio.timeout(TIMEOUT_S):
                await self._store.write(partial(queries.write_heartbeat, process=ROW, at=now))
                written = await self._store.read(partial(queries.last_heartbeat, process=ROW))
        except (SQLAlchemyError, StoreError, OSError):
            self._problem = "the database cannot be used"
        except TimeoutError:
            self._problem = f"the database did not answer within {TIMEOUT_S:.0f} s"
        else:
            self._problem = None if written is not None else "the database lost a write"
        self._checked_at = now
