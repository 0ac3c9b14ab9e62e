"""The store: one writer and several readers of one database, for code on the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from taiji.server.store.database import (
    READERS,
    DatabaseError,
    migrate,
    parse_url,
    reading_engine,
    writing_engine,
)
from taiji.server.store.lock import DatabaseLock
from taiji.server.store.writer import Writer

Result = TypeVar("Result")


class Store:
    """An asynchronous interface to the database."""

    def __init__(self, url: str) -> None:
        self.url = parse_url(url)
        self._writing = writing_engine(self.url)
        self._reading = reading_engine(self.url)
        self._writer = Writer(self._writing)
        self._readers = ThreadPoolExecutor(READERS, "taiji-reader")
        self._lock: DatabaseLock | None = None

    @property
    def backend(self) -> str:
        """`sqlite` or `postgresql`."""
        return self.url.get_backend_name()

    async def open(self) -> None:
        """Prepare the database if necessary, and start the writer."""
        await asyncio.to_thread(self.prepare)
        self._writer.start()

    def prepare(self) -> None:
        """Lock the database and migrate its schema; raise `DatabaseError` if that fails."""
        if self._lock is not None:
            return
        try:
            self._lock = DatabaseLock.acquire(self.url)
            migrate(self._writing)
        except SQLAlchemyError as error:
            reason = str(error.__cause__ or error).strip().splitlines()[0]
            address = self.url.render_as_string(hide_password=True)
            raise DatabaseError(f"{address}: cannot open the database: {reason}") from error

    async def close(self) -> None:
        """Write queued jobs, and release the database."""
        await self._writer.close()
        self._readers.shutdown()
        if self._lock is not None:
            self._lock.release()
        self._reading.dispose()
        self._writing.dispose()

    def write(self, work: Callable[[Connection], Result]) -> asyncio.Future[Result]:
        """Queue a write; the future resolves when it is on disk."""
        return self._writer.submit(work)

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """Run a read in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, work)

    def _read(self, work: Callable[[Connection], Result]) -> Result:
        with self._reading.connect() as connection:
            return work(connection)
