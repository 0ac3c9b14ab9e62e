"""Open and migrate a database: SQLite by default, PostgreSQL by its address."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from sqlalchemy import Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.pool import QueuePool

from taiji.server.store.schema import HEAD

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection

READERS = 4


class DatabaseError(ValueError):
    """A database that cannot be used."""


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
    return create_engine(url, pool_size=1, max_overflow=0, pool_pre_ping=True, hide_parameters=True)


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
        )
    return create_engine(
        url,
        pool_size=READERS,
        max_overflow=0,
        pool_pre_ping=True,
        isolation_level="AUTOCOMMIT",
        hide_parameters=True,
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


def require_current(url: URL) -> None:
    """Raise `DatabaseError` unless the database exists and has the newest schema."""
    address = url.render_as_string(hide_password=True)
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").is_file():
        raise DatabaseError(f"{address}: no such database (taiji serve creates it)")
    engine = writing_engine(url)
    try:
        with engine.connect() as connection:
            known = inspect(connection).has_table("alembic_version")
            current = connection.scalar(text("SELECT version_num FROM alembic_version")) if known else None
    except SQLAlchemyError as error:
        reason = str(error.__cause__ or error).strip().splitlines()[0]
        raise DatabaseError(f"{address}: cannot open the database: {reason}") from error
    finally:
        engine.dispose()
    if current != HEAD:
        raise DatabaseError(
            f"{address}: schema {current} (expected {HEAD}: start taiji serve once to migrate)"
        )


def migrate(engine: Engine) -> None:
    """Migrate the database to the newest schema; load Alembic only if necessary."""
    with engine.connect() as connection:
        if inspect(connection).has_table("alembic_version"):
            current = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
            if current == HEAD:
                return
    from alembic import command
    from alembic.config import Config

    with engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
