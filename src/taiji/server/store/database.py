"""Open and migrate a database: SQLite by default, PostgreSQL by its address."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from pydantic_core import from_json
from sqlalchemy import Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.pool import QueuePool

from taiji.server.store.schema import HEAD

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection

READERS = 4
NETWORK_LIMITS = {
    "connect_timeout": 3,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 5000,
}
"""How long a connection to PostgreSQL may hang because its machine is gone."""
POSTGRES_LIMITS = {
    **NETWORK_LIMITS,
    "application_name": f"taiji {os.getpid()}",
    # A server that is frozen inside a transaction must not keep its locks.
    "options": "-c idle_in_transaction_session_timeout=2000 -c lock_timeout=2000",
}
"""The same for a connection that writes."""
MIGRATION_IDLE = "1min"
"""How long a migration may compute between two statements before PostgreSQL ends it."""


class DatabaseError(ValueError):
    """A database that cannot be used."""


class DatabaseInUse(DatabaseError):
    """A database that another server uses."""


def read_json(text: str | bytes) -> Any:
    """Read a JSON column; three times as fast as `json.loads`, which also reads half a surrogate pair."""
    try:
        return from_json(text)
    except ValueError:
        return json.loads(text)


def parse_url(address: str) -> URL:
    """Read a database address such as `sqlite:///games.sqlite` or `postgresql://user@host/name`."""
    try:
        url = make_url(address)
    except ArgumentError as error:
        raise DatabaseError(
            f"{address!r}: not a database address (expected sqlite:///taiji.sqlite, for example)"
        ) from error
    if url.drivername in ("postgresql", "postgres"):
        url = url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        raise DatabaseError(f"{url.get_backend_name()}: unsupported database (expected sqlite or postgresql)")
    if url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:"):
        raise DatabaseError("the database must be a file (expected sqlite:///taiji.sqlite, for example)")
    return url


def writing_engine(url: URL) -> Engine:
    """Return the writer's engine, which opens exactly one connection."""
    if url.get_backend_name() == "sqlite":
        assert url.database is not None
        path = Path(url.database)
        path.parent.mkdir(parents=True, exist_ok=True)
        engine = create_engine(
            url,
            pool_size=1,
            max_overflow=0,
            poolclass=QueuePool,
            connect_args={"check_same_thread": False},
            hide_parameters=True,
        )
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_immediate)
        return engine
    return create_engine(
        url,
        pool_size=1,
        max_overflow=0,
        pool_pre_ping=True,
        hide_parameters=True,
        connect_args=POSTGRES_LIMITS,
    )


def reading_engine(url: URL) -> Engine:
    """Return the readers' engine; on SQLite it is read-only."""
    if url.get_backend_name() == "sqlite":
        assert url.database is not None
        address = f"file:{quote(str(Path(url.database).resolve()))}?mode=ro"
        return create_engine(
            "sqlite://",
            creator=lambda: sqlite3.connect(address, uri=True, check_same_thread=False, timeout=10),
            poolclass=QueuePool,
            pool_size=READERS,
            max_overflow=0,
            hide_parameters=True,
            json_deserializer=read_json,
        )
    return create_engine(
        url,
        pool_size=READERS,
        max_overflow=0,
        pool_pre_ping=True,
        isolation_level="AUTOCOMMIT",
        hide_parameters=True,
        json_deserializer=read_json,
        connect_args=NETWORK_LIMITS,
    )


def _set_up_sqlite(connection: Any, _record: object) -> None:
    # `_begin_immediate` starts transactions instead of the driver.
    connection.isolation_level = None
    cursor = connection.cursor()
    for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000"):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def current_schema(connection: Connection) -> str | None:
    """Return the schema of a database, or None if it is not one of this program."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def require_known(address: str, schema: str) -> None:
    """Raise `DatabaseError` if a newer program has written a database."""
    if schema > HEAD:
        raise DatabaseError(
            f"{address}: schema {schema} is newer than this program (expected at most {HEAD}: upgrade taiji)"
        )


@contextmanager
def snapshot(url: URL) -> Iterator[Connection]:
    """Open a database for reading as of one moment, however long that takes."""
    engine = reading_engine(url)
    if url.get_backend_name() == "postgresql":
        engine.dispose()
        engine = create_engine(url, isolation_level="REPEATABLE READ", hide_parameters=True)
    try:
        with engine.connect() as connection:
            if url.get_backend_name() == "sqlite":
                connection.exec_driver_sql("BEGIN")
            yield connection
    finally:
        engine.dispose()


def require_current(url: URL) -> None:
    """Raise `DatabaseError` unless the database exists and has the newest schema."""
    address = url.render_as_string(hide_password=True)
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").is_file():
        raise DatabaseError(f"{address}: no such database (taiji serve creates it)")
    engine = reading_engine(url)
    try:
        with engine.connect() as connection:
            current = current_schema(connection)
    except SQLAlchemyError as error:
        reason = str(error.__cause__ or error).strip().splitlines()[0]
        raise DatabaseError(f"{address}: cannot open the database: {reason}") from error
    finally:
        engine.dispose()
    if current is not None:
        require_known(address, current)
    if current != HEAD:
        raise DatabaseError(
            f"{address}: schema {current} (expected {HEAD}: start taiji serve once to migrate)"
        )


def migrate(engine: Engine) -> None:
    """Migrate the database to the newest schema; load Alembic only if necessary."""
    with engine.connect() as connection:
        _allow_pauses(connection)
        current = current_schema(connection)
    if current == HEAD:
        return
    if current is not None:
        require_known(engine.url.render_as_string(hide_password=True), current)
    from alembic import command
    from alembic.config import Config

    with engine.begin() as connection:
        _allow_pauses(connection)
        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _allow_pauses(connection: Connection) -> None:
    """Let this transaction compute between two statements, as a write must not."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SET LOCAL idle_in_transaction_session_timeout = '{MIGRATION_IDLE}'")
