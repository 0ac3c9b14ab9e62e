"""Names of the version before: every account keeps its own, also where two look alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, text

from taiji.server.domain.names import look_key
from taiji.server.store.database import migrate, parse_url, writing_engine

MIGRATIONS = Path(__file__).parents[2] / "src/taiji/server/store/migrations"
ACCOUNT = (
    "INSERT INTO accounts (id, name, name_key, password, account_type, created_at)"
    " VALUES (:id, :name, :key, 'hash', 'person', :at)"
)
GUEST = "INSERT INTO visitors (id, name, created_at) VALUES (:id, :name, 0)"
TOKEN = (
    "INSERT INTO tokens (id, account_id, hash, label, created_at) VALUES ('t', 'a2', 'token-hash', 'home', 0)"
)


def move_to(engine: Engine, revision: str, *, down: bool = False) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        (command.downgrade if down else command.upgrade)(config, revision)


def rows(engine: Engine, query: str) -> list[Any]:
    with engine.connect() as connection:
        return [tuple(row) for row in connection.execute(text(query))]


def test_accounts_that_look_alike_keep_their_names_and_guests_do_not(empty_database_url: str) -> None:
    engine = writing_engine(parse_url(empty_database_url))
    move_to(engine, "0004")
    with engine.begin() as connection:
        for at, name in enumerate(("Bot1", "Botl", "Ada"), 1):
            connection.execute(text(ACCOUNT), {"id": f"a{at}", "name": name, "key": name.lower(), "at": at})
        connection.execute(text(TOKEN))
        for identity, name in (("v1", "bot1"), ("v2", "Аdа"), ("v3", "Cy"), ("v4", None)):
            connection.execute(text(GUEST), {"id": identity, "name": name})
    migrate(engine)
    accounts = rows(engine, "SELECT id, name, name_key, look_key, password FROM accounts ORDER BY id")
    assert [row[:3] for row in accounts] == [
        ("a1", "Bot1", "bot1"),
        ("a2", "Botl", "botl"),
        ("a3", "Ada", "ada"),
    ]
    assert accounts[0][3] == look_key("Bot1")
    assert len({row[3] for row in accounts}) == 3
    assert {row[4] for row in accounts} == {"hash"}
    assert rows(engine, "SELECT account_id, hash, label FROM tokens") == [("a2", "token-hash", "home")]
    guests = rows(engine, "SELECT id, name, look_key FROM visitors ORDER BY id")
    assert guests == [
        ("v1", None, None),
        ("v2", None, None),
        ("v3", "Cy", look_key("Cy")),
        ("v4", None, None),
    ]
    move_to(engine, "0004", down=True)
    assert rows(engine, "SELECT name FROM accounts ORDER BY id") == [("Bot1",), ("Botl",), ("Ada",)]
    engine.dispose()
