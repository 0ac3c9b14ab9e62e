"""Backup, restore, check, retention, and one line for every database that cannot be used."""

from __future__ import annotations

import sqlite3
import stat
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from click.testing import CliRunner, Result
from sqlalchemy import JSON, Boolean, Column, Connection, Float, String, create_engine, insert, select

from taiji.cli import backup, check, restore
from taiji.server.store import database, queries
from taiji.server.store.database import (
    DatabaseError,
    current_schema,
    migrate,
    parse_url,
    require_current,
    snapshot,
    writing_engine,
)
from taiji.server.store.integrity import find_problems
from taiji.server.store.retention import GUEST_COLUMNS
from taiji.server.store.schema import HEAD, audit_log, events, metadata, tables
from taiji.server.store.schema_people import pairing_slots
from tests.server.inside import Inside
from tests.server.postgres import Postgres
from tests.server.running import TAIJI, Running
from tests.server.test_version_1 import MIGRATIONS, write_version_1

REVISIONS = [f"{number:04}" for number in range(2, int(HEAD) + 1)]


def run(one: Any, *arguments: str) -> Result:
    return CliRunner().invoke(one.command, list(arguments), catch_exceptions=True)


def contents(url: str) -> dict[str, list[Any]]:
    """Everything that a backup keeps."""
    with snapshot(parse_url(url)) as connection:
        kept = [table for table in metadata.sorted_tables if table.name not in ("nodes", "shards")]
        return {t.name: sorted(map(repr, connection.execute(select(t)).all())) for t in kept}


def test_a_backup_restores_everything_in_either_database(empty_database_url: str, tmp_path: Path) -> None:
    write_version_1(empty_database_url)
    engine = writing_engine(parse_url(empty_database_url))
    migrate(engine)
    engine.dispose()
    file, other = tmp_path / "copy.sqlite", f"sqlite:///{tmp_path / 'new' / 'games.sqlite'}"
    answer = run(backup, str(file), "--database-url", empty_database_url)
    assert answer.exit_code == 0, answer.output
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert run(restore, str(file), "--database-url", other).exit_code == 0
    assert stat.S_IMODE((tmp_path / "new" / "games.sqlite").stat().st_mode) == 0o600
    assert contents(other) == contents(empty_database_url)
    assert run(check, "--database-url", other).output == "no problems\n"
    again = run(restore, str(file), "--database-url", other)
    assert isinstance(again.exception, DatabaseError)
    assert "exists" in str(again.exception)


def fill_every_table(url: str) -> None:
    """Write a row into every table of a new database, as far as types and references ask."""
    engine = create_engine(parse_url(url))
    migrate(engine)
    with engine.begin() as connection:
        for table in metadata.sorted_tables:
            if table.name not in ("nodes", "shards"):
                connection.execute(
                    insert(table), [{column.name: a_value(column) for column in table.columns}]
                )
    engine.dispose()


def a_value(column: Column[Any]) -> Any:
    if isinstance(column.type, String):
        return "x"  # all ids are the same, so that every reference leads to the one row
    return {JSON: {"x": [1, None]}, Float: 0.5, Boolean: True}.get(type(column.type), 7)


@pytest.mark.parametrize("target", ["sqlite", "postgresql"])
def test_no_table_is_left_out_of_a_backup(
    database_url: str, target: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    fill_every_table(database_url)
    other = f"sqlite:///{tmp_path / 'other.sqlite'}"
    if target == "postgresql":
        other = request.getfixturevalue("postgres").empty_database()
    file = tmp_path / "copy.sqlite"
    assert run(backup, str(file), "--database-url", database_url).exit_code == 0
    assert run(restore, str(file), "--database-url", other).exit_code == 0
    restored = contents(other)
    assert [name for name, rows in restored.items() if not rows] == []
    assert restored == contents(database_url)
    engine = create_engine(parse_url(other))
    with engine.begin() as connection:  # numbers go on after the highest that was restored
        new = {"at": 1, "actor": "a", "action": "b", "detail": ""}
        assert connection.execute(insert(audit_log).returning(audit_log.c.id), [new]).scalar() == 8
    engine.dispose()


def test_a_backup_of_sqlite_fills_postgresql(postgres: Any, tmp_path: Path) -> None:
    url, target = f"sqlite:///{tmp_path / 'games.sqlite'}", postgres.empty_database()
    write_version_1(url)
    file = tmp_path / "copy.sqlite"
    old = run(backup, str(file), "--database-url", url)
    assert "start taiji serve once to migrate" in str(old.exception)
    (tmp_path / "games.sqlite").rename(file)  # a backup of an older version
    assert run(restore, str(file), "--database-url", target).exit_code == 0
    assert run(check, "--database-url", target).output == "no problems\n"
    assert "has tables" in str(run(restore, str(file), "--database-url", target).exception)


def test_a_backup_is_consistent_while_games_go_on(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'games.sqlite'}"
    with Inside(url).running() as server:
        ada, bob = server.browser(), server.browser("192.0.2.2")
        ended = threading.Event()

        def play() -> None:
            while not ended.is_set():
                table = ada.table()
                bob.post(f"/api/tables/{table['id']}/join")
                ada.post(f"/api/tables/{table['id']}/resign", {"id": "r"})

        playing = threading.Thread(target=play)
        playing.start()
        try:
            for number in range(3):
                file = tmp_path / f"{number}.sqlite"
                assert run(backup, str(file), "--database-url", url).exit_code == 0
                assert run(check, "--database-url", f"sqlite:///{file}").output == "no problems\n"
        finally:
            ended.set()
            playing.join()


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("UPDATE tables SET ply = 99 WHERE id = 'fischer'", "table fischer: column ply is 99 (expected 3"),
        ("DELETE FROM events WHERE table_id = 'fischer' AND version = 4", "table fischer: version"),
        ("UPDATE tables SET version = 2 WHERE id = 'fischer'", "table fischer: version 2 with"),
        ("UPDATE events SET data = '{}' WHERE table_id = 'fischer' AND version = 5", "cannot be replayed"),
        ("UPDATE ratings SET games = 77", "77 games (expected"),
        ("DELETE FROM game_results", "has no result as it follows from its events"),
        ("UPDATE game_results SET points = 0.25", "has a result that does not follow from its events"),
        (
            "INSERT INTO rating_queue SELECT id FROM tables WHERE status = 'playing' LIMIT 1",
            "waits to be rated but is not over",
        ),
        (
            "INSERT INTO opening_queue SELECT id FROM tables WHERE status = 'playing' LIMIT 1",
            "waits to be explored but is not over",
        ),
        ("UPDATE tournaments SET over = NOT over", "column over is"),
        ("UPDATE tournaments SET state = 'running', summary = '{}'", "column summary is {} (expected"),
        ("DELETE FROM tournament_players", "of its players do not find it in their lists"),
        ("DELETE FROM tournament_events WHERE version = 2", "(expected them without a gap)"),
        ("INSERT INTO puzzle_results VALUES ('p', 1500, 1, 2)", "puzzle p: its counts do not fit"),
        ("INSERT INTO puzzle_tries VALUES ('u', 'p', 1, 1500, 0)", "puzzle p: its tries are not counted"),
        ("INSERT INTO openings VALUES ('taiji', 7, 1, 2, 0, 0)", "opening 7 of taiji: its counts do not fit"),
    ],
)
def test_check_names_what_does_not_fit(tmp_path: Path, damage: str, said: str) -> None:
    url = f"sqlite:///{tmp_path / 'games.sqlite'}"
    write_version_1(url)
    engine = writing_engine(parse_url(url))
    migrate(engine)
    engine.dispose()
    with closing(sqlite3.connect(tmp_path / "games.sqlite")) as connection:
        changed = connection.execute(damage).rowcount
        connection.commit()
    assert changed
    answer = run(check, "--database-url", url)
    assert answer.exit_code == 1
    assert said in answer.output


def test_every_released_schema_goes_up_and_down(empty_database_url: str) -> None:
    write_version_1(empty_database_url)
    engine = writing_engine(parse_url(empty_database_url))
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        for revision in [*REVISIONS[1:], *reversed(REVISIONS[:-1]), *REVISIONS[1:]]:
            step = command.upgrade if revision > current(connection) else command.downgrade
            step(config, revision)
            assert current(connection) == revision
    with engine.connect() as connection:
        assert connection.execute(select(events)).first() is not None
        for identity in connection.execute(select(tables.c.id)).scalars().all():
            assert queries.load_table(connection, identity) is not None
        assert list(find_problems(connection)) == []
    engine.dispose()


def current(connection: Any) -> str:
    return str(connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar())


def newer(path: Path) -> None:
    engine = writing_engine(parse_url(f"sqlite:///{path}"))
    migrate(engine)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    engine.dispose()


def corrupt(path: Path) -> None:
    path.write_bytes(b"this is not a database" * 500)


def truncated(path: Path) -> None:
    newer(path)
    path.write_bytes(path.read_bytes()[:5000])


@pytest.mark.parametrize(
    ("prepare", "said"),
    [
        (newer, "schema 9999 is newer than this program"),
        (corrupt, "file is not a database"),
        (truncated, "malformed"),
        (lambda path: path.mkdir(), "cannot open the database"),
    ],
)
def test_one_line_says_why_a_database_cannot_be_used(
    tmp_path: Path, prepare: Callable[[Path], None], said: str
) -> None:
    path = tmp_path / "games.sqlite"
    prepare(path)
    options = ["serve", "--no-open", "--port=0", f"--database-url=sqlite:///{path}"]
    answer = subprocess.run([str(TAIJI), *options], capture_output=True, text=True, check=False)
    assert answer.returncode == 2
    assert len(answer.stderr.splitlines()) == 1, answer.stderr
    assert said in answer.stderr


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    url = f"sqlite:///{tmp_path / 'file' / 'games.sqlite'}"
    answer = subprocess.run(
        [str(TAIJI), "serve", "--no-open", f"--database-url={url}"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert answer.returncode != 0
    assert len(answer.stderr.splitlines()) == 1, answer.stderr


def test_the_file_of_a_new_database_is_private(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    Running(f"sqlite:///{path}", "--engines=0").stop()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_abandoned_games_are_deleted_and_others_kept(alone: Inside) -> None:
    ada, bob = alone.browser(), alone.browser("192.0.2.2")
    left = ada.table()["id"]
    played = ada.table()["id"]
    bob.post(f"/api/tables/{played}/join")
    ada.post(f"/api/tables/{played}/resign", {"id": "r"})
    old = {left, played}
    alone.time.advance(days=401)
    alone.context.rooms.rooms.clear()
    ada = alone.browser()
    fresh = ada.table()["id"]
    alone.run(alone.context._delete_abandoned)
    ids = alone.run(alone.context.store.read, lambda c: set(c.execute(select(tables.c.id)).scalars()))
    assert ids & old == {played}
    assert fresh in ids
    with snapshot(alone.context.store.url) as connection:
        assert list(find_problems(connection)) == []


def test_what_only_a_lost_guest_could_see_goes_with_the_guest(alone: Inside) -> None:
    guest, friend = alone.browser(), alone.browser("192.0.2.2")
    friend.register("friend")
    guest.ask("PUT", "/api/following/friend")
    guest.post("/api/puzzles/battle-of-lits-1-2/tries", {"solved": True, "rating": 1500})
    settings = guest.get("/api/notifications/settings")
    guest.ask("PUT", "/api/notifications/settings", settings)
    guest.post("/api/vacation", {"days": 1})
    guest.post("/api/pair", {"id": "p", "game": "taiji:size=4"})
    guest.post("/api/blocks", {"player": "friend"})

    def left() -> set[str]:
        return alone.run(alone.context.store.read, _tables_of_guests)

    everything = {"blocks", "follows", "notification_settings", "pair_requests", "pairing_slots"}
    everything |= {"puzzle_tries", "vacations"}
    assert left() == everything
    alone.run(alone.context.sessions.purge)
    assert left() == everything  # the guest may come back
    alone.time.advance(days=800)
    alone.run(alone.context.sessions.purge)
    assert left() == set()
    assert friend.get("/api/puzzles/ratings")["puzzles"][0]["tries"] == 1  # it still counts
    with snapshot(alone.context.store.url) as connection:
        assert list(find_problems(connection)) == []


def _tables_of_guests(connection: Any) -> set[str]:
    columns = {column.table for column in GUEST_COLUMNS}
    return {table.name for table in columns if connection.execute(select(table)).first()}


def test_old_pairings_are_forgotten(alone: Inside) -> None:
    ada = alone.browser()
    for number, size in enumerate((4, 5)):
        ada.post("/api/pair", {"id": f"p{number}", "game": f"taiji:size={size}"})
        alone.time.advance(hours=20)
    alone.run(alone.context.pairing.purge)

    def slots(connection: Any) -> list[str]:
        return list(connection.execute(select(pairing_slots.c.table_id)).scalars())

    assert len(alone.run(alone.context.store.read, slots)) == 1
    assert ada.post("/api/pair", {"id": "p2", "game": "taiji:size=4"})["id"]


def test_whoever_looks_at_the_schema_may_pause(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the transactions of a writing server are ended when it stands still, for they hold locks."""

    def slow(connection: Connection) -> str | None:
        connection.exec_driver_sql("SELECT 1")
        time.sleep(0.2)
        return current_schema(connection)

    monkeypatch.setattr(database, "current_schema", slow)
    monkeypatch.setitem(database.POSTGRES_LIMITS, "options", "-c idle_in_transaction_session_timeout=50")
    url = parse_url(postgres.empty_database())
    engine = writing_engine(url)
    migrate(engine)
    engine.dispose()
    require_current(url)
