"""Locks on a database: one server for an SQLite file, one migration at a time for PostgreSQL."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from sqlalchemy import create_engine, text

from taiji.arena.system import lock_file
from taiji.server.store.database import DatabaseError, DatabaseInUse

if TYPE_CHECKING:
    from sqlalchemy import URL

KEY = 0x7A_11_71
"""The key of the advisory lock on PostgreSQL."""


class FileLock:
    """A lock on an SQLite file that ends with the process.

    The file itself is locked, not one beside it: under another name or by a link it is the same file.
    SQLite's own locks are of another kind. The file must stay open as long as SQLite uses it: closing it ends
    SQLite's locks, too.
    """

    def __init__(self, release: Callable[[], None]) -> None:
        self.release = release

    @classmethod
    def acquire(cls, path: str) -> Self:
        """Lock a database, or raise `DatabaseError` if another server holds the lock."""
        try:
            file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise DatabaseError(f"{path}: cannot open the database: {error.strerror}") from error
        try:
            lock_file(file, wait=False)
        except BlockingIOError:
            os.close(file)
            raise DatabaseInUse(f"another server is using {path}") from None
        return cls(lambda: os.close(file))


@contextmanager
def migration_lock(url: URL) -> Iterator[None]:
    """Let only one server migrate a PostgreSQL database at a time."""
    if url.get_backend_name() == "sqlite":
        yield
        return
    engine = create_engine(url, isolation_level="AUTOCOMMIT", pool_size=1, max_overflow=0)
    try:
        with engine.connect() as connection:
            connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": KEY})
            yield
    finally:
        engine.dispose()
