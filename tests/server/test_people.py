"""Player pages, following, results, who is online, and the lobby that the front page shows."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from sqlalchemy import create_engine, select, text

from taiji.rules import parse_game
from taiji.server.domain.thumbnails import DIGITS, thumbnail
from taiji.server.identity.connections import Connections
from taiji.server.identity.limits import RateLimiter
from taiji.server.live.lobby import Lobby
from taiji.server.live.online import OnlineAccounts
from taiji.server.store import follows
from taiji.server.store.schema import tables
from taiji.server.store.schema_people import game_results
from tests.server.inside import Browser, Inside, SetTime
from tests.waiting import wait_until

GAME = "taiji:size=4"


def people(server: Inside, *names: str) -> list[Browser]:
    made = [server.browser(f"192.0.2.{number}") for number in range(1, len(names) + 1)]
    for browser, name in zip(made, names, strict=True):
        browser.register(name)
    return made


def begin(one: Browser, other: Browser, plies: int = 0, **wish: Any) -> str:
    """Start a game, and play some moves of it."""
    table = one.table(colour="light", match=False, **wish)
    other.post(f"/api/tables/{table['id']}/join")
    state = parse_game(wish.get("game", GAME)).start()
    for ply in range(plies):
        move = state.legal()[0]
        (one, other)[state.seat_to_move].move(table["id"], ply, move.action)
        state = state.play(move)
    identity: str = table["id"]
    return identity


def resign(browser: Browser, table_id: str) -> None:
    browser.post(f"/api/tables/{table_id}/resign", {"id": f"r{table_id}"})


def test_a_page_shows_ratings_results_and_games(alone: Inside) -> None:
    ada, bob, eve = people(alone, "ada", "bob", "eve")
    guest = alone.browser("192.0.2.9")
    ended = []
    for loser in (bob, bob, ada):
        ended.append(begin(ada, bob, 3, rated=True))
        resign(loser, ended[-1])
        alone.time.advance(seconds=1)
    resign(guest, begin(ada, guest, 3, game="taiji:size=5"))
    running = begin(ada, eve, 3)
    alone.run(alone.context.ratings.settle)
    page = guest.get("/api/players/ADA")
    assert (page["name"], page["account_type"], page["since"]) == ("ada", "person", alone.time.at - 3000)
    assert page["games"] == [
        {"game": GAME, "won": 2, "drawn": 0, "lost": 1},
        {"game": "taiji:size=5", "won": 1, "drawn": 0, "lost": 0},
    ]
    assert page["opponents"] == [
        {"name": "bob", "account_type": "person", "won": 2, "drawn": 0, "lost": 1},
        {"name": None, "account_type": "person", "won": 1, "drawn": 0, "lost": 0},
    ]
    assert [(one["game"], one["games"]) for one in page["ratings"]] == [(GAME, 3)]
    assert [one["id"] for one in page["playing"]] == [running]
    assert (page["yourself"], page["last_game"], page["puzzles"]) == (False, None, None)
    assert bob.get("/api/players/ada")["last_game"]["id"] == ended[2]
    assert ada.get("/api/players/ada")["yourself"]
    listed = guest.get("/api/players/ada/tables")["tables"]
    assert [one["game"] for one in listed] == ["taiji:size=5", GAME, GAME, GAME]
    assert all(one["thumbnail"].startswith(("4:", "5:")) for one in listed)
    later = guest.get(f"/api/players/ada/tables?before={listed[1]['updated']}")["tables"]
    assert [one["id"] for one in later] == ended[1::-1]
    assert guest.ask("GET", "/api/players/nobody") == (404, "not-found")
    assert guest.ask("GET", "/api/players/nobody/tables") == (404, "not-found")


def test_private_games_are_nowhere_on_show(alone: Inside) -> None:
    ada, bob = people(alone, "ada", "bob")
    invited = ada.table(opponent="link", colour="light", match=False)
    bob.post("/api/join", {"secret": invited["invite"].partition("#")[2]})
    alone.context.table_service._has_computer = lambda: True
    practice = ada.table(opponent="computer", colour="light", level=1)
    assert ada.move(practice["id"], 0, parse_game(GAME).start().legal()[0].action)[0] == 200
    resign(bob, invited["id"])
    resign(ada, practice["id"])
    page = bob.get("/api/players/ada")
    assert (page["playing"], page["games"], page["last_game"]) == ([], [], None)
    assert bob.get("/api/players/ada/tables")["tables"] == []
    assert bob.get("/api/results")["tables"] == []
    assert bob.get("/api/live")["tables"] == []
    # Their players find them.
    assert {one["id"] for one in ada.get("/api/my/tables")["tables"]} == {invited["id"], practice["id"]}


def test_games_to_watch_have_begun_and_go_on(alone: Inside) -> None:
    ada, bob = people(alone, "ada", "bob")
    clock = {"clock_type": "correspondence", "days": 3}
    fresh, live, slow = begin(ada, bob, 2), begin(ada, bob, 3), begin(ada, bob, 3, clock=clock)
    watched = {one["id"] for one in ada.get("/api/live")["tables"]}
    assert (fresh in watched, live in watched, slow in watched) == (False, True, True)
    alone.time.advance(minutes=11)
    assert [one["id"] for one in ada.get("/api/live")["tables"]] == [slow]
    alone.time.advance(minutes=60)
    assert ada.get("/api/live")["tables"] == []


def test_following_and_who_is_online(alone: Inside) -> None:
    ada, bob = people(alone, "ada", "bob")
    guest = alone.browser("192.0.2.9")
    for browser in (ada, guest):
        assert browser.ask("PUT", "/api/following/BOB") == (204, None)
        assert browser.ask("PUT", "/api/following/bob") == (204, None)
    assert ada.ask("PUT", "/api/following/ada") == (422, "bad-request")
    assert ada.ask("PUT", "/api/following/nobody") == (404, "not-found")
    page = ada.get("/api/players/bob")
    assert (page["following"], page["followers"], page["online"]) == (True, None, False)
    assert bob.get("/api/players/bob")["followers"] == 2
    with bob.socket("/ws/lobby") as socket:
        socket.receive_json()
        assert ada.get("/api/players/bob")["online"]
        table = begin(ada, bob, 1)
        bob_online = {"name": "bob", "account_type": "person", "online": True, "playing": table}
        assert guest.get("/api/following")["following"] == [bob_online]
    alone.time.advance(seconds=5)
    alone.context.online.forget_left()
    assert ada.get("/api/players/bob")["online"]  # between two pages
    alone.time.advance(seconds=6)
    alone.run(_forget, alone)
    assert not ada.get("/api/players/bob")["online"]
    assert ada.ask("DELETE", "/api/following/bob") == (204, None)
    assert ada.ask("DELETE", "/api/following/nobody") == (204, None)
    assert ada.get("/api/following")["following"] == []
    # A guest who registers keeps following.
    guest.register("gus")
    assert [one["name"] for one in guest.get("/api/following")["following"]] == ["bob"]


async def _forget(server: Inside) -> None:
    server.context.online.forget_left()


def test_limits_on_follows_and_challenges(alone: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, eve, _ = people(alone, "ada", "eve", "bob")
    monkeypatch.setattr(follows, "MAX_FOLLOWED", 1)
    assert ada.ask("PUT", "/api/following/bob")[0] == 204
    assert ada.ask("PUT", "/api/following/eve") == (409, "limit-reached")
    answers = [ada.request("DELETE", "/api/following/bob") for _ in range(60)]
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) > 0
    challenge = {"game": GAME, "opponent": "player", "player": "bob"}
    answers = [eve.request("POST", "/api/tables", json=challenge) for _ in range(7)]
    assert [one.status_code for one in answers] == [201] * 6 + [429]
    assert int(answers[-1].headers["retry-after"]) > 0
    assert eve.ask("POST", "/api/tables", {**challenge, "player": "ada"})[0] == 201


def test_puzzles_of_an_account(alone: Inside) -> None:
    (ada,) = people(alone, "ada")
    guest = alone.browser("192.0.2.9")
    report = {"rating": 1400, "tries": 30, "streak": 3, "last_day": 320}
    assert guest.ask("PUT", "/api/me/puzzles", report) == (401, "no-account")
    assert ada.get("/api/me/puzzles")["tries"] == 0
    assert ada.ask("PUT", "/api/me/puzzles", report) == (200, {**report, "shared": False})
    # Another browser with fewer tries takes over what counts, and adds its streak.
    other = {"rating": 1210, "tries": 2, "streak": 1, "last_day": 321}
    assert ada.ask("PUT", "/api/me/puzzles", other) == (200, {**report, "shared": False})
    assert guest.get("/api/players/ada")["puzzles"] is None
    assert ada.ask("PATCH", "/api/me/puzzles", {"shared": True})[1]["shared"]
    assert guest.get("/api/players/ada")["puzzles"] == {"rating": 1400, "tries": 30}
    assert ada.ask("PUT", "/api/me/puzzles", {**report, "rating": 9999})[0] == 422


def test_the_lobby_is_sent_to_those_for_whom_it_changed(alone: Inside) -> None:
    ada, bob, eve = people(alone, "ada", "bob", "eve")
    eve.ask("PUT", "/api/following/ada")
    with eve.socket("/ws/lobby") as eves, bob.socket("/ws/lobby") as bobs:
        assert eves.receive_json()["following"][0]["online"] is False
        assert bobs.receive_json()["my_tables"] == []
        table = begin(ada, bob, 3)
        frame = _until(bobs, lambda lobby: lobby["live"] and lobby["live"][0]["ply"] == 3)
        assert [one["id"] for one in frame["my_tables"]] == [table]
        assert frame["my_tables"][0]["thumbnail"].startswith("4:")
        assert frame["now"] == alone.time.at
        with ada.socket("/ws/lobby") as adas:
            adas.receive_json()
            frame = _until(eves, lambda lobby: lobby["following"][0]["online"])
            assert frame["following"][0]["playing"] == table
        resign(ada, table)
        frame = _until(bobs, lambda lobby: not lobby["my_tables"])
        assert [one["id"] for one in frame["results"]] == [table]


def _until(socket: Any, condition: Any) -> dict[str, Any]:
    while True:
        frame: dict[str, Any] = socket.receive_json()
        if condition(frame):
            return frame


def test_only_the_own_games_that_changed_are_read_again(
    alone: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = {"public": 0, "mine": 0}
    for name, method in (("public", Lobby._read_public), ("mine", Lobby._read_mine)):

        async def counted(*arguments: Any, name: str = name, method: Any = method) -> None:
            counts[name] += 1
            await method(*arguments)

        monkeypatch.setattr(Lobby, f"_read_{name}", counted)
    ada, bob = people(alone, "ada", "bob")
    readers = [alone.browser(f"192.0.3.{number}") for number in range(1, 6)]
    with ExitStack() as stack:
        sockets = [stack.enter_context(reader.socket("/ws/lobby")) for reader in readers]
        for socket in sockets:
            socket.receive_json()
        before = counts["public"]
        begin(ada, bob, 3)
        _until(sockets[0], lambda lobby: lobby["live"])
        assert counts["mine"] == 0  # nothing of theirs has changed
        assert counts["public"] > before


def test_a_deleted_account_leaves_no_page(alone: Inside) -> None:
    ada, bob = people(alone, "ada", "bob")
    ada.ask("PUT", "/api/following/bob")
    ada.ask("PUT", "/api/me/puzzles", {"rating": 1400, "tries": 30, "streak": 3, "last_day": 320})
    resign(bob, begin(ada, bob, 3))
    exported = ada.get("/api/me/export")
    assert exported["following"] == [{"name": "bob"}]
    assert exported["puzzles"][0]["rating"] == 1400
    assert ada.ask("POST", "/api/me/delete", {"password": "correct horse battery"})[0] == 200
    assert bob.ask("GET", "/api/players/ada") == (404, "not-found")
    page = bob.get("/api/players/bob")
    assert page["opponents"] == [
        {"name": None, "account_type": "person", "won": 0, "drawn": 0, "lost": 1},
    ]
    assert page["followers"] == 0


@pytest.mark.parametrize(
    "game", ["taiji:size=5", "tailits", "battle-of-lits", "tailits+taiji", "taiji+battle-of-lits:size=3"]
)
def test_a_thumbnail_shows_what_lies_on_top(game: str) -> None:
    state, last = parse_game(game).start(), None
    while not state.is_over:
        width, cells = thumbnail(state, last).split(":")
        assert int(width) == state.board.width
        assert len(cells) == state.board.size
        values = [DIGITS.index(cell) for cell in cells]
        for cell, value in enumerate(values):
            bit = 1 << cell
            covered = bool(state.covered & bit)
            assert covered == (value & 7 in (1, 2, 3)), (game, cell)
            if state.light & bit or state.dark & bit:
                assert value & 7 == (1 if state.light & bit else 2)
        last = state.legal()[len(state.legal()) // 2]
        state = state.play(last)


def test_results_of_earlier_versions_are_written_by_the_migration(tmp_path: Path) -> None:
    from alembic import command
    from alembic.config import Config

    path = tmp_path / "x.sqlite"
    first = Inside(f"sqlite:///{path}")
    with first.running():
        ada, bob = people(first, "ada", "bob")
        resign(bob, begin(ada, bob, 3))
        before = first.run(first.context.store.read, lambda c: c.execute(select(game_results)).all())
        assert len(before) == 2
    folder = Path(__file__).parents[2] / "src/taiji/server/store/migrations"
    config = Config()
    config.set_main_option("script_location", str(folder))
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "0011")
        columns = connection.execute(text("SELECT name FROM pragma_table_info('tables')")).scalars()
        assert "thumbnail" not in set(columns)
        command.upgrade(config, "head")
        after = connection.execute(select(game_results)).all()
        assert sorted(after) == sorted(before)
        assert connection.execute(select(tables.c.thumbnail)).scalar() is None
    engine.dispose()


def test_those_who_left_go_offline_by_themselves(alone: Inside) -> None:
    (ada,) = people(alone, "ada")
    with ada.socket("/ws/lobby") as socket:
        socket.receive_json()
    alone.time.advance(seconds=20)
    wait_until(lambda: not ada.get("/api/players/ada")["online"], "ada stays online")


def test_whoever_was_online_at_a_server_that_died_is_not() -> None:
    """Followers are told, too: their pages would show the player online until something else changed."""
    peers = SimpleNamespace(hear=lambda kind, handler: handlers.update({kind: handler}), nodes={"other"})
    handlers: dict[str, Any] = {}
    time = SetTime()
    online = OnlineAccounts(Connections(RateLimiter(time)), cast(Any, peers), time)
    changes: list[frozenset[str]] = []
    online.listeners.append(changes.append)
    handlers["online"]("other", {"all": ["ada", "bob"]})
    handlers["online"]("other", {"came": ["eve"], "went": ["bob"]})
    assert [one for one in ("ada", "bob", "eve") if online.is_online(one)] == ["ada", "eve"]
    peers.nodes = set()
    online._forget_dead()
    assert not online.is_online("ada")
    assert changes == [{"ada", "bob"}, {"bob", "eve"}, {"ada", "eve"}]
