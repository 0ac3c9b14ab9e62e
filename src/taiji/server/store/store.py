"""The store: one writer and several readers of one database, for code on the event loop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Connection, create_engine
from sqlalchemy.exc import SQLAlchemyError

from taiji.server.store.database import (
    READERS,
    DatabaseError,
    migrate,
    parse_url,
    reading_engine,
    writing_engine,
)
from taiji.server.store.leased_ownership import LeasedOwnership
from taiji.server.store.lock import FileLock, migration_lock
from taiji.server.store.ownership import Ownership, SoleOwnership
from taiji.server.store.writer import Writer

Result = TypeVar("Result")


class Store:
    """An asynchronous interface to the database."""

    def __init__(self, url: str, *, shared: bool = False) -> None:
        self.url = parse_url(url)
        if shared and self.backend == "sqlite":
            raise DatabaseError(
                "several servers need a PostgreSQL database (expected postgresql://USER@HOST/NAME)"
            )
        self.ownership: Ownership = SoleOwnership()
        if self.backend == "postgresql":
            self.ownership = LeasedOwnership(self.url, shares=shared)
        self._writing = writing_engine(self.url)
        self._reading = reading_engine(self.url)
        self._writer = Writer(self._writing, self.ownership)
        self._readers = ThreadPoolExecutor(READERS, "taiji-reader")
        self._lock: FileLock | None = None
        self._prepared = False
        self.pending_writes = 0
        self.on_written: Callable[[float], None] | None = None
        """Called with the seconds from queueing each write until it is on disk or has failed."""

    @property
    def backend(self) -> str:
        """`sqlite` or `postgresql`."""
        return self.url.get_backend_name()

    async def open(self) -> None:
        """Prepare the database if necessary, start the writer, and take over what no server owns."""
        await asyncio.to_thread(self.prepare)
        self._writer.start()
        await self.ownership.open()

    def prepare(self) -> None:
        """Lock the database, migrate its schema and join its servers; raise `DatabaseError` if that fails."""
        if self._prepared:
            return
        try:
            if self.backend == "sqlite":
                self._lock = FileLock.acquire(str(self.url.database))
                migrate(self._writing)
            else:
                self._migrate()
            self.ownership.prepare()
            self._prepared = True
        except SQLAlchemyError as error:
            reason = str(error.__cause__ or error).strip().splitlines()[0]
            address = self.url.render_as_string(hide_password=True)
            raise DatabaseError(f"{address}: cannot open the database: {reason}") from error

    def _migrate(self) -> None:
        """Migrate PostgreSQL, without the limits of a connection that writes."""
        engine = create_engine(self.url, pool_size=1, max_overflow=0, hide_parameters=True)
        try:
            with migration_lock(self.url):
                migrate(engine)
        finally:
            engine.dispose()

    async def close(self) -> None:
        """Write queued jobs, and release the database."""
        await self.ownership.settle()
        await self._writer.close()
        await self.ownership.close()
        self._readers.shutdown()
        self._reading.dispose()
        self._writing.dispose()
        if self._lock is not None:
            self._lock.release()

    def write(self, work: Callable[[Connection], Result]) -> asyncio.Future[Result]:
        """Queue a write; the future resolves when it is on disk."""
        future = self._writer.submit(work)
        self.pending_writes += 1
        future.add_done_callback(partial(self._on_persisted, time.perf_counter()))
        return future

    def _on_persisted(self, began: float, _: asyncio.Future[Any]) -> None:
        self.pending_writes -= 1
        if self.on_written is not None:
            self.on_written(time.perf_counter() - began)

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """Run a read in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, work)

    def _read(self, work: Callable[[Connection], Result]) -> Result:
        with self._reading.connect() as connection:
            return work(connection)
