"""The database: migrations, the one writer, and that SQLite is set up to keep what it acknowledges."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, insert, select, text

from taiji.server.store.database import (
    DatabaseError,
    migrate,
    parse_url,
    read_json,
    reading_engine,
    writing_engine,
)
from taiji.server.store.schema import HEAD, heartbeats, metadata
from taiji.server.store.store import Store
from taiji.server.store.writer import StoreError, Writer


def test_the_newest_migration_is_the_one_the_server_expects() -> None:
    config = Config()
    config.set_main_option(
        "script_location", str(Path(__file__).parents[2] / "src/taiji/server/store/migrations")
    )
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


def test_migrations_lead_to_the_schema(empty_database_url: str) -> None:
    from alembic.autogenerate import compare_metadata

    engine = writing_engine(parse_url(empty_database_url))
    migrate(engine)
    migrate(engine)  # once more does nothing
    engine.dispose()
    # Without the time limits of a writer: on a busy machine the comparison pauses for longer.
    engine = create_engine(parse_url(empty_database_url))
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engine.dispose()


def test_migrations_lead_back(tmp_path: Path) -> None:
    from alembic import command

    engine = writing_engine(parse_url(f"sqlite:///{tmp_path / 'x.sqlite'}"))
    migrate(engine)
    config = Config()
    config.set_main_option(
        "script_location", str(Path(__file__).parents[2] / "src/taiji/server/store/migrations")
    )
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
    with engine.connect() as connection:
        left = connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'table'")).scalars()
        assert set(left) == {"alembic_version"}
    engine.dispose()


def test_sqlite_waits_for_the_disk_and_readers_cannot_write(tmp_path: Path) -> None:
    url = parse_url(f"sqlite:///{tmp_path / 'x.sqlite'}")
    writing, reading = writing_engine(url), None
    migrate(writing)
    with writing.connect() as connection:
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
        assert connection.execute(text("PRAGMA synchronous")).scalar() == 2
        assert connection.execute(text("PRAGMA foreign_keys")).scalar() == 1
    reading = reading_engine(url)
    with reading.connect() as connection, pytest.raises(Exception, match="readonly"):
        connection.execute(text("DELETE FROM heartbeats"))
    reading.dispose()
    writing.dispose()


@pytest.mark.parametrize("text", ['{"n": 12345678901234567890, "x": 0.1, "y": null}', '"\\ud800"', "[1e400]"])
def test_json_is_read_as_before(text: str) -> None:
    assert read_json(text) == read_json(text.encode()) == json.loads(text)


@pytest.mark.parametrize("url", ["nonsense", "mysql://x/y", "sqlite://", "sqlite:///:memory:"])
def test_a_database_that_cannot_be_used_is_named(url: str) -> None:
    with pytest.raises(DatabaseError):
        parse_url(url)


def _add(connection: Connection, name: str) -> None:
    connection.execute(insert(heartbeats), [{"process": name, "at": 1}])


def test_one_bad_job_does_not_take_the_others_with_it(database_url: str) -> None:
    async def main() -> list[object]:
        store = Store(database_url)
        await store.open()
        jobs = [store.write(lambda c, n=n: _add(c, n)) for n in ("a", "b", "a", "c")]
        results = await asyncio.gather(*jobs, return_exceptions=True)
        names = await store.read(lambda c: sorted(c.execute(select(heartbeats.c.process)).scalars()))
        await store.close()
        with pytest.raises(StoreError):
            await store.write(lambda c: _add(c, "late"))
        return [*results, names]

    first, second, third, fourth, names = asyncio.run(main())
    assert (first, second, fourth) == (None, None, None)
    assert isinstance(third, Exception)
    assert names == ["a", "b", "c"]


def test_jobs_that_wait_share_a_commit(tmp_path: Path) -> None:
    """Two hundred jobs take a few commits, not two hundred."""
    url = f"sqlite:///{tmp_path / 'x.sqlite'}"
    commits = []

    async def main() -> None:
        engine = writing_engine(parse_url(url))
        migrate(engine)
        from sqlalchemy import event

        event.listen(engine, "commit", lambda _: commits.append(1))
        writer = Writer(engine)
        writer.start()
        await asyncio.gather(*(writer.submit(lambda c, n=n: _add(c, str(n))) for n in range(200)))
        await writer.close()
        engine.dispose()

    asyncio.run(main())
    assert len(commits) <= 50
    with sqlite3.connect(tmp_path / "x.sqlite") as connection:
        assert connection.execute("SELECT count(*) FROM heartbeats").fetchone() == (200,)
    connection.close()


def test_the_writer_survives_a_database_that_went_away(postgres: object) -> None:
    url = postgres.new_database()  # type: ignore[attr-defined]

    async def main() -> list[str]:
        store = Store(url)
        await store.open()
        await store.write(lambda c: _add(c, "before"))
        admin = create_engine(parse_url(url), isolation_level="AUTOCOMMIT")
        with admin.connect() as connection:
            connection.execute(
                text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid != pg_backend_pid()"
                )
            )
        admin.dispose()
        with pytest.raises(Exception, match=r"terminat|closed|lost"):
            await store.write(lambda c: _add(c, "during"))
        await store.write(lambda c: _add(c, "after"))
        names = await store.read(lambda c: sorted(c.execute(select(heartbeats.c.process)).scalars()))
        await store.close()
        return names

    assert asyncio.run(main()) == ["after", "before"]
