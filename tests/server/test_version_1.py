"""A database that the version before wrote: it migrates, shows what it showed, and its games play on.

`data/version_1.sql` was written by a server of schema 0002 and protocol 1: games with each time control, a
match in its second game, a tournament, accounts, a token, links, a record and a review.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect, select

from taiji.rules import parse_game
from taiji.server.store import queries
from taiji.server.store.database import migrate, parse_url, reading_engine, writing_engine
from taiji.server.store.schema import events, metadata, tables
from tests.server.postgres import Postgres
from tests.server.running import Running, Visitor
from tests.waiting import PATIENCE_S

DATA = (Path(__file__).parent / "data" / "version_1.sql").read_text()
MIGRATIONS = Path(__file__).parents[2] / "src/taiji/server/store/migrations"
TOKEN = "taiji_token-of-the-fixture"
INVITE = "invite-of-the-fixture-link"
PASSWORD = "long enough"


def write_version_1(url: str) -> None:
    """Make a database of schema 0002 and fill it."""
    engine = writing_engine(parse_url(url))
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0002")
        for statement in DATA.split(";\n"):
            if statement.strip():
                connection.exec_driver_sql(statement)
    engine.dispose()


def visit(running: Running, name: str) -> Visitor:
    """Return the visitor with the cookie that the fixture knows; who had signed in signs in again."""
    visitor = Visitor(running.url, cookie=f"{name}-cookie-of-the-fixture")
    if name == "ada":
        visitor.post("/api/session", {"name": "ada", "password": PASSWORD})
    return visitor


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server on an upgraded database; each test uses tables of its own."""
    url = f"sqlite:///{tmp_path_factory.mktemp('version_1') / 'games.sqlite'}"
    if request.param == "postgresql":
        url = request.getfixturevalue("postgres").empty_database()
    write_version_1(url)
    server = Running(url, "--engines=1")
    yield server
    assert server.stop() == 0
    assert server.errors == []


def play_out(table: dict[str, Any], players: dict[str, Visitor]) -> None:
    state = parse_game(table["game"]).start()
    for move in table["moves"]:
        state = state.play(state.game.move(move["action"]))
    while not state.is_over:
        move = state.legal()[0]
        players[state.seat_to_move.name.lower()].act(table["id"], "move", ply=state.ply, move=move.action)
        state = state.play(move)


def test_the_schema_and_every_event_are_upgraded(empty_database_url: str) -> None:
    from alembic.autogenerate import compare_metadata

    write_version_1(empty_database_url)
    url = parse_url(empty_database_url)
    writer, engine = writing_engine(url), reading_engine(url)
    migrate(writer)
    writer.dispose()
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        assert "secrets" not in inspect(connection).get_table_names()
        ids = list(connection.execute(select(tables.c.id)).scalars())
        assert set(connection.execute(select(events.c.format)).scalars()) == {1}
        for identity in ids:
            loaded = queries.load_table(connection, identity)
            assert loaded is not None
            table = loaded[0]
            row = connection.execute(select(tables).where(tables.c.id == identity)).mappings().one()
            # The events, upgraded one by one, lead to the state whose columns the migration rewrote.
            columns = {**queries.settings_row(table), **queries.projection_row(table)}
            # A game of version 1 has no picture before its next move.
            assert {**columns, "updated_at": row["updated_at"], "thumbnail": None} == dict(row)
    engine.dispose()


def test_a_migration_may_compute_for_longer_than_a_write(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = writing_engine(parse_url(postgres.empty_database()))

    def limit(connection: Connection) -> str:
        setting = connection.exec_driver_sql("SHOW idle_in_transaction_session_timeout").scalar_one()
        return str(setting)

    seen = []
    upgrade = command.upgrade

    def watched(config: Config, revision: str) -> None:
        seen.append(limit(config.attributes["connection"]))
        upgrade(config, revision)

    monkeypatch.setattr(command, "upgrade", watched)
    migrate(engine)
    with engine.connect() as connection:
        assert (seen, limit(connection)) == (["1min"], "2s")
    engine.dispose()


def test_games_in_progress_play_on(running: Running) -> None:
    cy, dee, phone = (visit(running, name) for name in ("cy", "dee", "cy-phone"))
    table = cy.get("/api/tables/fischer")
    assert [move["text"] for move in table["moves"]] == ["a1/a2", "c1/c2", "e1/e2"]
    assert table["clock_rule"] == {"clock_type": "fischer", "main_s": 300, "increment_s": 5}
    assert table["offers"]["takeback"] == "first"
    assert 0 < table["clock"]["second"]["remaining_ms"] <= 303_224
    assert phone.get("/api/tables/fischer")["your_seat"] == "first"
    dee.act("fischer", "takeback-answer", accept=True)
    assert [move["text"] for move in dee.get("/api/tables/fischer")["moves"]] == ["a1/a2", "c1/c2"]
    play_out(phone.get("/api/tables/fischer"), {"first": phone, "second": dee})
    assert cy.get("/api/tables/fischer")["result"]["ended_by"] == "score"
    play_out(cy.get("/api/tables/byoyomi"), {"first": dee, "second": cy})
    assert cy.get("/api/tables/byoyomi")["status"] == "over"
    with cy.open("computer") as socket:
        snapshot = socket.wait("snapshot")["table"]
        assert snapshot["seats"]["second"]["level"] == 2
        state = parse_game(snapshot["game"]).start()
        for played in snapshot["moves"]:
            state = state.play(state.game.move(played["action"]))
        cy.act("computer", "move", ply=state.ply, move=state.legal()[0].action)
        socket.wait_move(state.ply + 1)


def test_an_action_of_the_version_before_is_not_executed_again(running: Running) -> None:
    cy = visit(running, "cy")
    version = cy.get("/api/tables/fischer")["version"]
    again = cy.post("/api/tables/fischer/takeback", {"id": "cy-2"})
    assert again["version"] < version
    assert cy.get("/api/tables/fischer")["version"] == version


def test_cookies_of_the_version_before_open_a_guests_seat_and_no_account(running: Running) -> None:
    """Any value was accepted then, so that only a guest's seat follows from one, not an account."""
    signed_in = Visitor(running.url, cookie="ada-cookie-of-the-fixture")
    assert signed_in.get("/api/me")["account"] is None
    assert signed_in.get("/api/my/tables")["tables"] == []
    chosen = Visitor(running.url, cookie="a-value-that-a-client-has-chosen")
    assert chosen.get("/api/my/tables")["tables"] == []
    guest = visit(running, "cy")
    assert guest.get("/api/my/tables")["tables"]
    # The old cookie opens nothing by itself.
    alone = httpx.get(
        f"{running.url}/api/my/tables",
        cookies={"taiji_visitor": "cy-cookie-of-the-fixture"},
        timeout=PATIENCE_S,
    )
    assert alone.json()["tables"] == []


def test_a_match_goes_on_in_its_second_game(running: Running) -> None:
    ada, dee = visit(running, "ada"), visit(running, "dee")
    first, second = ada.get("/api/tables/matchgame1"), ada.get("/api/tables/matchgame2")
    assert first["match"]["tables"] == second["match"]["tables"] == ["matchgame1", "matchgame2"]
    assert first["result"] == {
        "winner": "second", "ended_by": "score", "scores": {"first": 3, "second": 4},
    }  # fmt: skip
    assert (second["your_seat"], second["match"]["game_no"]) == ("second", 2)
    play_out(second, {"first": dee, "second": ada})
    ended = ada.get("/api/tables/matchgame2")
    assert ended["match"]["result"]["ended_by"] in ("total", "rule")
    totals = ended["match"]["totals"]
    there = ada.get("/api/tables/matchgame1")["match"]["result"]
    assert there["totals"] == {"first": totals["second"], "second": totals["first"]}
    forfeited = ada.get("/api/tables/resigned")
    assert (forfeited["result"]["ended_by"], forfeited["match"]["result"]["ended_by"]) == (
        "resign",
        "forfeit",
    )
    assert ada.get("/api/tables/aborted")["result"]["ended_by"] == "aborted"


def test_accounts_tokens_links_and_ratings_are_still_valid(running: Running) -> None:
    ada, cy, guest = (visit(running, name) for name in ("ada", "cy", "guest"))
    assert ada.get("/api/me")["account"] == {"name": "ada", "account_type": "person"}
    assert cy.get("/api/me")["name"] == "Cy"
    bob = Visitor(running.url, token=TOKEN)
    assert bob.get("/api/me")["account"] == {"name": "bob", "account_type": "bot"}
    tokens = bob.get("/api/account/tokens")["tokens"]
    assert [(token["label"], token["last_used_at"] is not None) for token in tokens] == [("at home", True)]
    bob.post("/api/tables/challenge/join")
    ada.act("rated", "rematch")
    assert ada.get("/api/tables/rated")["rematch"] is not None
    players = ada.get("/api/ratings", game="taiji:size=2")["players"]
    assert [(player["name"], player["games"]) for player in players] == [("bob", 1), ("ada", 1)]
    assert cy.get("/api/tables/waiting")["invite"] == f"/join#{INVITE}"
    assert guest.post("/api/join", {"secret": INVITE})["status"] == "playing"
    mine = {summary["id"]: summary for summary in cy.get("/api/my/tables")["tables"]}
    assert mine["aborted"]["result"]["ended_by"] == "aborted"
    assert mine["fischer"]["clock_rule"]["clock_type"] == "fischer"
    assert mine["computer"]["seats"]["second"]["account_type"] == "computer"


def test_a_tournament_goes_on(running: Running) -> None:
    ada, cy, dee = (visit(running, name) for name in ("ada", "cy", "dee"))
    people = {"ada": ada, "Cy": cy, "Dee": dee}
    path = "/api/tournaments/tournament"
    tournament = cy.get(path)
    assert tournament["clock"] == {"clock_type": "bronstein", "main_s": 60, "delay_s": 5}
    assert tournament["board"] == "board"
    for _ in range(200):
        tournament = ada.get(path)
        if tournament["over"]:
            break
        for pairing in tournament["rounds"][-1]:
            if pairing["points"] is None and pairing["board"]:
                table = ada.get(f"/api/tables/{pairing['board']['table']}")
                if table["status"] == "playing":
                    players = {seat: people[table["seats"][seat]["name"]] for seat in ("first", "second")}
                    play_out(table, players)
    assert tournament["over"]
    assert len(tournament["rounds"]) == 3
    log = ada.get(f"{path}/log")["log"]
    assert [entry["name"] for entry in log[::-1] if entry["event"] == "entered"] == ["ada", "Cy", "Dee"]
    assert {entry["actor"] for entry in log} == {"organiser", "player", "server"}


def test_records_and_reviews_are_still_there(running: Running) -> None:
    cy = visit(running, "cy")
    record = cy.get("/api/records/record")
    assert (record["moves"], record["names"]["first"]) == ([{"action": 0, "text": "a1/b1"}], "Cy")
    review = cy.get("/api/reviews/review")
    assert (review["state"], review["done"], review["total"]) == ("done", 2, 2)
    start, after = (ply["analysis"] for ply in review["plies"])
    assert (start["seat"], start["win_prob"], start["candidates"][0]["text"]) == ("first", 0.0, "b3/a3")
    # Version 1 stored the values of the seat `first`; here they are those of the seat to move.
    assert (after["seat"], after["win_prob"], after["margin"]) == ("second", 1.0, 1.0)
    assert review["plies"][0]["played"] == {"move": 0, "text": "a1/b1"}
    assert review["plies"][1]["played"] is None
