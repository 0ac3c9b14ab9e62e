"""The lock on a database: only one server may use it, because tables live in its memory."""

from __future__ import annotations

import fcntl
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Self

from sqlalchemy import create_engine, text

from taiji.server.store.database import DatabaseError

if TYPE_CHECKING:
    from sqlalchemy import URL

KEY = 0x7A_11_71
"""The key of the advisory lock on PostgreSQL."""
LOCK_TIMEOUT_S = 5.0
"""PostgreSQL takes a moment to notice that a killed server is gone."""


class DatabaseLock:
    """A lock on a database that ends with the process."""

    def __init__(self, release: Callable[[], None]) -> None:
        self.release = release

    @classmethod
    def acquire(cls, url: URL) -> Self:
        """Lock a database, or raise `DatabaseError` if another server holds the lock."""
        return cls._lock_file(url) if url.get_backend_name() == "sqlite" else cls._lock_advisory(url)

    @classmethod
    def _lock_file(cls, url: URL) -> Self:
        file = open(f"{url.database}.lock", "w", encoding="ascii")  # noqa: SIM115, PTH123 - open until released
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise DatabaseError(f"another server is using {url.database}") from None
        return cls(file.close)

    @classmethod
    def _lock_advisory(cls, url: URL) -> Self:
        engine = create_engine(url, isolation_level="AUTOCOMMIT", pool_size=1, max_overflow=0)
        connection = engine.connect()
        end = time.monotonic() + LOCK_TIMEOUT_S
        while not connection.execute(text("SELECT pg_try_advisory_lock(:key)"), {"key": KEY}).scalar():
            if time.monotonic() > end:
                connection.close()
                engine.dispose()
                raise DatabaseError(f"another server is using {url.render_as_string(hide_password=True)}")
            time.sleep(0.1)

        def release() -> None:
            connection.close()
            engine.dispose()

        return cls(release)
