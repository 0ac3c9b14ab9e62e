"""The store: one writer and a few readers over one database, for code that runs on the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy import Connection

from taiji.server.store.database import READERS, migrate, read_url, reading_engine, writing_engine
from taiji.server.store.writer import Writer

Result = TypeVar("Result")


class Store:
    """A database that the event loop can wait for."""

    def __init__(self, url: str) -> None:
        self.url = read_url(url)
        self._writing = writing_engine(self.url)
        self._reading = reading_engine(self.url)
        self._writer = Writer(self._writing)
        self._readers = ThreadPoolExecutor(READERS, "taiji-reader")

    @property
    def kind(self) -> str:
        """`sqlite` or `postgresql`."""
        return self.url.get_backend_name()

    async def open(self) -> None:
        """Bring the schema up to date and begin to write."""
        await asyncio.to_thread(migrate, self._writing)
        self._writer.start()

    async def close(self) -> None:
        """Write what waits, and let go of the database."""
        await self._writer.close()
        self._readers.shutdown()
        self._reading.dispose()
        self._writing.dispose()

    def write(self, work: Callable[[Connection], Result]) -> asyncio.Future[Result]:
        """Do a piece of writing; the future resolves when it is on disk."""
        return self._writer.submit(work)

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """Do a piece of reading, off the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, work)

    def _read(self, work: Callable[[Connection], Result]) -> Result:
        with self._reading.connect() as connection:
            return work(connection)
