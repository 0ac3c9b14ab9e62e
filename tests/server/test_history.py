"""A long history costs nothing at the start or on a page: every statement searches an index."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import event, select

from taiji.server.store.schema import rating_history, rating_queue
from taiji.server.tournaments import loaded
from tests.server.inside import Inside

GROWING = {
    "accounts", "visitors", "sessions", "tables", "events", "seat_links", "records", "reviews", "ratings",
    "rating_history", "tournaments", "tournament_events", "tournament_players", "audit_log",
    "follows", "game_results", "puzzle_ratings", "pair_requests", "puzzle_tries", "openings",
    "notifications", "notification_settings", "push_subscriptions", "vacations", "blocks", "reports",
    "phrases", "tokens", "recovery_codes",
}  # fmt: skip
"""Tables with a row for each user, game or tournament that there ever was."""


class Statements:
    """The statements of a server, with their parameters."""

    def __init__(self) -> None:
        self.seen: dict[str, Any] = {}

    def __call__(self, _c: Any, cursor: Any, statement: str, parameters: Any, _x: Any, many: bool) -> None:
        self.seen[statement] = parameters[0] if many else parameters

    def scans(self, connection: Any) -> list[str]:
        """Return each statement that reads a whole table of the history."""
        found = []
        for statement, parameters in self.seen.items():
            if not statement.startswith(("SELECT", "UPDATE", "DELETE", "WITH")):
                continue
            plan = connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
            for row in plan:
                scan = re.match(r"SCAN (\w+)", row[3])
                if scan and scan[1] in GROWING:
                    found.append(f"{row[3]}: {statement}")
        return found


@contextmanager
def recorded(server: Inside) -> Iterator[Statements]:
    statements = Statements()
    engines = (server.context.store._reading, server.context.store._writing)
    for engine in engines:
        event.listen(engine, "before_cursor_execute", statements)
    yield statements
    for engine in engines:
        event.remove(engine, "before_cursor_execute", statements)


def walk(server: Inside) -> None:
    """Ask for everything that a visitor and an account can see."""
    ada, bob = server.browser(), server.browser("192.0.2.2")
    ada.register("ada")
    bob.register("bob")
    table = ada.table(rated=True, clock={"clock_type": "fischer", "main_s": 600, "increment_s": 5})
    bob.post(f"/api/tables/{table['id']}/join")
    ada.post(f"/api/tables/{table['id']}/resign", {"id": "r"})
    ada.table(opponent="player", player="bob")
    wish = {"name": "Club", "format": "swiss", "game": "taiji:size=4", "rounds": 2, "match": False}
    created = ada.post("/api/tournaments", wish)
    bob.post(
        f"/api/tournaments/{created['id']}/join",
        {"secret": created["invite"].partition("#")[2], "name": "bob"},
    )
    for path in (
        "/api/me", "/api/challenges", "/api/live", "/api/my/tables", "/api/my/tables?status=over",
        "/api/my/tables?before=1900000000000", "/api/bots", f"/api/tables/{table['id']}",
        f"/api/tables/{table['id']}/events", "/api/tournaments", f"/api/tournaments/{created['id']}",
        "/api/sessions", "/api/seat-links", "/api/ratings", "/api/ratings?game=taiji:size=4",
        "/api/ratings/ada?game=taiji:size=4", "/api/me/export", "/api/account/tokens", "/api/health",
        "/api/players/bob", "/api/players/bob/tables", "/api/players/bob/tables?before=1900000000000",
        "/api/results", "/api/following", "/api/me/puzzles", "/api/leaderboards", "/api/tournaments/public",
        "/api/tournaments/public?state=finished", f"/api/tournaments/{created['id']}/log", "/api/agenda",
        "/api/notifications", "/api/notifications/settings", "/api/push", "/api/blocks",
        f"/api/tables/{table['id']}/phrases", "/api/puzzles/ratings", "/", "/watch", "/player/bob",
        f"/game/{table['id']}",
    ):  # fmt: skip
        assert ada.request("GET", path).status_code == 200, path
    ada.ask("PUT", "/api/following/bob")
    ada.ask("PUT", "/api/me/puzzles", {"rating": 1300, "tries": 4, "streak": 1, "last_day": 300})
    ada.ask("POST", "/api/pair", {"id": "p", "game": "taiji:size=4"})
    bob.ask("POST", "/api/pair", {"id": "p", "game": "taiji:size=4"})
    slow = ada.table(clock={"clock_type": "correspondence", "days": 2})["id"]
    bob.post(f"/api/tables/{slow}/join")
    for path, body in (
        ("/api/openings", {"game": "taiji:size=4", "keys": [1, 2]}),
        ("/api/vacation", {"days": 2}),
        ("/api/notifications/read", {}),
        ("/api/blocks", {"table": slow}),
        ("/api/reports", {"table": slow, "reason": "name"}),
    ):
        assert ada.ask("POST", path, body)[0] < 500, path
    ada.ask("DELETE", "/api/vacation")
    server.run(server.context.openings.count_queued)
    server.run(server.context.vacations.repair)
    server.run(server.context.schedule.look)
    server.run(server.context.pairing.purge)
    with ada.socket("/ws/lobby") as socket:
        socket.receive_json()
    bob.sign_out()
    bob.sign_in("bob")


def test_no_page_and_no_start_scans_the_history(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'x.sqlite'}"
    first = Inside(url)
    with first.running(), recorded(first) as pages:
        walk(first)
    second = Inside(url)
    second.time.advance(hours=1)
    with recorded(second) as start, second.running():
        second.browser()
    with closing(sqlite3.connect(tmp_path / "x.sqlite")) as connection:
        scans = [*pages.scans(connection), *start.scans(connection)]
    # Once per hour a reader looks for sessions that have ended and for guests and browsers without one; at
    # most twice per minute the players of each game are counted.
    rare = (
        "sessions.last_used_at IS NULL AND",
        "visitors.account_id IS NULL AND",
        "SELECT push_subscriptions.hash",
        "GROUP BY ratings.game",
    )
    assert [scan for scan in scans if not any(part in scan for part in rare)] == []
    assert len(pages.seen) > 40
    assert len(start.seen) > 5


def test_a_game_waits_in_the_queue_until_it_is_rated(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'x.sqlite'}"
    first = Inside(url)
    with first.running():
        ada, bob = first.browser(), first.browser("192.0.2.2")
        ada.register("ada")
        bob.register("bob")
        table = ada.table(rated=True)
        bob.post(f"/api/tables/{table['id']}/join")

        async def never(*_: object) -> None:
            """Stand for a server that is killed between the end of a game and its rating."""

        first.context.ratings._rate = never  # type: ignore[method-assign]
        ada.post(f"/api/tables/{table['id']}/resign", {"id": "r"})
        queued = first.run(first.context.store.read, lambda c: c.execute(select(rating_queue)).all())
        assert queued == [(table["id"],)]
    second = Inside(url)
    with second.running():
        read = second.context.store.read
        assert second.run(read, lambda c: c.execute(select(rating_queue)).all()) == []
        assert len(second.run(read, lambda c: c.execute(select(rating_history)).all())) == 2


def test_finished_tournaments_leave_the_memory(alone: Inside, monkeypatch: Any) -> None:
    monkeypatch.setattr(loaded, "MAX_LOADED", 3)
    ada = alone.browser()
    wish = {"name": "Club", "format": "swiss", "game": "taiji:size=4", "rounds": 2, "match": False}
    made = [ada.post("/api/tournaments", {**wish, "name": f"Club {i}"})["id"] for i in range(6)]
    alone.context.tournaments.loaded._by_id.clear()
    listed = ada.get("/api/tournaments")["tournaments"]
    assert sorted(one["id"] for one in listed) == sorted(made)
    assert len(alone.context.tournaments.loaded._by_id) <= 3


def test_only_the_tournaments_of_a_visitor_are_read(alone: Inside) -> None:
    ada, bob = alone.browser(), alone.browser("192.0.2.2")
    wish = {"name": "Club", "format": "swiss", "game": "taiji:size=4", "rounds": 2, "match": False}
    created = ada.post("/api/tournaments", wish)
    assert bob.get("/api/tournaments")["tournaments"] == []
    secret = created["invite"].partition("#")[2]
    bob.post(f"/api/tournaments/{created['id']}/join", {"secret": secret, "name": "bob"})
    assert [one["id"] for one in bob.get("/api/tournaments")["tournaments"]] == [created["id"]]
