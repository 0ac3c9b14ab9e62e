"""Backups: one SQLite file, consistent while a server writes, from and into either kind of database."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, func, insert, inspect, select, text
from sqlalchemy.exc import SQLAlchemyError

from taiji.server.store.database import (
    DatabaseError,
    current_schema,
    migrate,
    parse_url,
    require_current,
    require_known,
    writing_engine,
)
from taiji.server.store.schema import audit_log, metadata, nodes, shards
from taiji.server.store.schema_talk import reports

if TYPE_CHECKING:
    from sqlalchemy import URL

BATCH = 1000
PAGES = 4096
"""Pages of SQLite that are copied between two looks at the writers."""
TRANSIENT = (nodes, shards)
"""Which servers use a PostgreSQL database now: not part of a backup."""


def back_up(url: URL, path: Path) -> None:
    """Write a backup of a database to a new file."""
    require_current(url)
    with _new_file(path) as part:
        if url.get_backend_name() == "sqlite":
            _copy_file(Path(url.database or ""), part)
        else:
            _copy_rows_between(_snapshot_engine(url), _empty_database(part))


def restore(path: Path, url: URL) -> None:
    """Fill an empty database with a backup, and bring it to the current schema."""
    require_backup(path)
    _require_empty(url)
    if url.get_backend_name() == "sqlite":
        target = Path(url.database or "")
        target.parent.mkdir(parents=True, exist_ok=True)
        with _new_file(target) as part:
            _copy_file(path, part)
            _migrate_file(part)
        return
    with _scratch_copy(path) as copy:
        _migrate_file(copy)
        engine = create_engine(url)
        migrate(engine)
        _copy_rows_between(writing_engine(parse_url(f"sqlite:///{copy}")), engine)


def require_backup(path: Path) -> None:
    """Raise `DatabaseError` unless a file is a database of this program, of this schema or an older one."""
    if not path.is_file():
        raise DatabaseError(f"{path}: no such file (expected a backup of taiji)")
    engine = create_engine(f"sqlite:///file:{quote(str(path.resolve()))}?mode=ro&uri=true")
    try:
        with engine.connect() as connection:
            known = current_schema(connection)
    except SQLAlchemyError as error:
        raise DatabaseError(f"{path}: not a backup: {_reason(error)}") from error
    finally:
        engine.dispose()
    if known is None:
        raise DatabaseError(f"{path}: not a backup (expected a file that taiji backup wrote)")
    require_known(str(path), known)


def _require_empty(url: URL) -> None:
    address = url.render_as_string(hide_password=True)
    if url.get_backend_name() == "sqlite":
        if Path(url.database or "").exists():
            raise DatabaseError(f"{address}: exists (expected a new database; move the file away first)")
        return
    engine = create_engine(url)
    try:
        with engine.connect() as connection:
            if inspect(connection).get_table_names():
                raise DatabaseError(f"{address}: has tables (expected an empty database)")
    except SQLAlchemyError as error:
        raise DatabaseError(f"{address}: cannot open the database: {_reason(error)}") from error
    finally:
        engine.dispose()


@contextmanager
def _new_file(path: Path) -> Iterator[Path]:
    """Give a name beside a new file, which gets its own when it is complete; only its owner can read it."""
    if path.exists():
        raise DatabaseError(f"{path}: exists (expected the name of a new file)")
    part = path.with_name(f"{path.name}.part")
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
    except OSError as error:
        raise DatabaseError(f"{path}: cannot write: {error.strerror}") from error
    try:
        yield part
        part.replace(path)
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise DatabaseError(f"{path}: cannot write: {_reason(error)}") from error
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def _scratch_copy(path: Path) -> Iterator[Path]:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.sqlite"
        _copy_file(path, copy)
        yield copy


def _copy_file(source: Path, target: Path) -> None:
    """Copy an SQLite database as of one moment, whatever is written during the copy."""
    address = f"file:{quote(str(source.resolve()))}?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as one, closing(sqlite3.connect(target)) as other:
        one.backup(other, pages=PAGES, sleep=0.01)
        other.execute("PRAGMA journal_mode=DELETE")


def _migrate_file(path: Path) -> None:
    engine = writing_engine(parse_url(f"sqlite:///{path}"))
    migrate(engine)
    engine.dispose()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")


def _empty_database(path: Path) -> Engine:
    _migrate_file(path)
    return create_engine(f"sqlite:///{path}")


def _snapshot_engine(url: URL) -> Engine:
    """Return an engine whose transactions see PostgreSQL as of one moment."""
    return create_engine(url, isolation_level="REPEATABLE READ", hide_parameters=True)


def _copy_rows_between(source: Engine, target: Engine) -> None:
    try:
        with source.connect() as one, target.begin() as other:
            _copy_rows(one, other)
    finally:
        source.dispose()
        target.dispose()


def _copy_rows(source: Connection, target: Connection) -> None:
    for table in metadata.sorted_tables:
        if table in TRANSIENT:
            continue
        rows = source.execution_options(yield_per=BATCH).execute(select(table)).mappings()
        for part in rows.partitions():
            target.execute(insert(table), [dict(row) for row in part])
    if target.dialect.name == "postgresql":
        for table in (audit_log, reports):
            last = target.execute(select(func.max(table.c.id))).scalar()
            if last is not None:
                sequence = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :last)")
                target.execute(sequence, {"name": table.name, "last": last})


def _reason(error: Exception) -> str:
    lines = str(error.__cause__ or error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
