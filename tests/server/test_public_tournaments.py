"""Public tournaments: the list, entering without a link, start times, and what an operator lets recur."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from taiji.rules import parse_game
from taiji.server.identity.moderation import Operator
from taiji.server.store.database import snapshot
from taiji.server.store.integrity import find_problems
from taiji.server.store.schema import accounts, ratings
from taiji.server.store.schema_tournaments import tournament_events, tournaments
from taiji.server.tournaments.integrity import find_problems as find_tournament_problems
from taiji.server.tournaments.recurring import (
    Recurring,
    RecurringError,
    add_recurring,
    switch_recurring,
    unlist_tournament,
)
from tests.server.inside import Browser, Inside
from tests.waiting import PATIENCE_S

GAME = "taiji:size=3"
DAY_MS = 86_400_000
BY = Operator("op", 1)
WEEKLY = {"name": "Weekly", "game": GAME, "match": False, "clock": None}


def until(check: Callable[[], Any]) -> Any:
    """Return the first true answer; the schedule looks at the time by itself."""
    end = time.monotonic() + PATIENCE_S
    while not (answer := check()):
        assert time.monotonic() < end
        time.sleep(0.05)
    return answer


def organiser(server: Inside, name: str) -> Browser:
    browser = server.browser()
    browser.register(name)
    return browser


def make(browser: Browser, **wish: Any) -> dict[str, Any]:
    return dict(browser.post("/api/tournaments", {"name": "Open", "game": GAME, "match": False, **wish}))


def enter(server: Inside, tournament: str, *names: str) -> list[Browser]:
    """Let guests enter without a link."""
    guests = [server.browser(f"192.0.2.{number + 10}") for number in range(len(names))]
    for guest, name in zip(guests, names, strict=True):
        guest.post(f"/api/tournaments/{tournament}/join", {"name": name})
    return guests


def listed(browser: Browser, state: str, offset: int = 0) -> list[str]:
    page = browser.get(f"/api/tournaments/public?state={state}&offset={offset}")
    return [one["id"] for one in page["tournaments"]]


def add(server: Inside, **wish: Any) -> Recurring:
    """Switch on a tournament every Friday at 19:30 UTC."""
    settings = {"weekday": 4, "minute": 19 * 60 + 30, "min_players": 2, **wish}
    one: Recurring = server.run(write, server, partial(add_recurring, settings=WEEKLY, **settings, by=BY))
    return one


async def write(server: Inside, work: Callable[..., Any]) -> Any:
    return await server.context.store.write(work)


def count(server: Inside) -> int:
    query = select(func.count()).select_from(tournaments)
    return int(server.run(partial(server.context.store.read, lambda c: c.execute(query).scalar())))


def test_a_public_tournament_is_found_and_entered_without_a_link(alone: Inside) -> None:
    ada = organiser(alone, "ada")
    public, hidden = make(ada, public=True), make(ada)
    stranger = alone.browser("192.0.2.9")
    assert listed(stranger, "upcoming") == [public["id"]]
    one, two = enter(alone, public["id"], "Bo", "Cy")
    assert stranger.ask("POST", f"/api/tournaments/{hidden['id']}/join", {"name": "Bo"}) == (404, "not-found")
    ada.post(f"/api/tournaments/{public['id']}/start", {})
    assert (listed(stranger, "upcoming"), listed(stranger, "running")) == ([], [public["id"]])
    board = one.get(f"/api/tournaments/{public['id']}")["board"]
    resigning = two if one.get(f"/api/tables/{board}")["your_seat"] == "second" else one
    resigning.post(f"/api/tables/{board}/resign", {"id": "r1"})
    until(lambda: listed(stranger, "finished") == [public["id"]])
    assert listed(stranger, "running") == []


def test_only_accounts_announce_and_only_the_near_future(alone: Inside) -> None:
    guest = alone.browser()
    wish = {"name": "Open", "game": GAME, "public": True}
    assert guest.ask("POST", "/api/tournaments", wish) == (401, "no-account")
    ada = organiser(alone, "ada")
    for starts_at in (alone.time.now(), alone.time.now() + 91 * DAY_MS):
        assert ada.ask("POST", "/api/tournaments", {**wish, "starts_at": starts_at}) == (409, "tournament")


def test_the_list_has_pages(alone: Inside) -> None:
    ada = organiser(alone, "ada")
    made = []
    for _ in range(23):
        alone.time.advance(seconds=1)
        made.append(make(ada, public=True)["id"])
    first = ada.get("/api/tournaments/public")
    assert ([one["id"] for one in first["tournaments"]], first["more"]) == (made[:2:-1], True)
    second = ada.get("/api/tournaments/public?offset=20")
    assert ([one["id"] for one in second["tournaments"]], second["more"]) == (made[2::-1], False)


def test_a_tournament_starts_at_its_time_or_is_cancelled_with_a_note(alone: Inside) -> None:
    ada = organiser(alone, "ada")
    at = alone.time.now() + 3_600_000
    full, empty = (make(ada, public=True, starts_at=at, min_players=2)["id"] for _ in range(2))
    enter(alone, full, "Bo", "Cy")
    enter(alone, empty, "Dee")
    alone.run(alone.context.schedule.look)
    assert set(listed(ada, "upcoming")) == {full, empty}  # it is not time yet
    alone.time.advance(hours=1)
    until(lambda: ada.get(f"/api/tournaments/{full}")["started"])
    cancelled = until(lambda: (one := ada.get(f"/api/tournaments/{empty}"))["cancelled"] and one)
    assert (cancelled["cancelled"], cancelled["over"], cancelled["started"]) == ("too-few", True, False)
    assert listed(ada, "finished") == [empty]
    late = alone.browser("192.0.2.50")
    assert late.ask("POST", f"/api/tournaments/{empty}/join", {"name": "Eve"}) == (409, "tournament")
    assert ada.ask("POST", f"/api/tournaments/{empty}/start", {}) == (409, "tournament")
    assert ada.get(f"/api/tournaments/{empty}/log")["log"][0]["event"] == "cancelled"


def test_a_recurring_tournament_is_announced_once_and_starts_by_itself(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'x.sqlite'}"
    server = Inside(url)
    with server.running():
        weekly = add(server)
        looker = server.browser()
        (upcoming,) = until(lambda: looker.get("/api/tournaments/public")["tournaments"])
        at = datetime.fromtimestamp(upcoming["starts_at"] / 1000, UTC)
        assert (at.weekday(), f"{at:%H:%M}", upcoming["recurring"]) == (4, "19:30", True)
        for _ in range(3):
            server.run(server.context.schedule.look)
        assert count(server) == 1
        # Two servers that both believe to be the owner cannot announce it twice.
        request = weekly.request(upcoming["starts_at"])
        with pytest.raises(IntegrityError):
            server.run(server.context.tournaments.create_for, "", request, weekly.id)
        assert count(server) == 1
        enter(server, upcoming["id"], "Bo", "Cy")
        assert looker.ask("POST", f"/api/tournaments/{upcoming['id']}/start", {}) == (403, "not-organiser")
    again = Inside(url)
    again.time.at = upcoming["starts_at"] + 60_000  # the server was down at that moment
    with again.running():
        looker = again.browser()
        until(lambda: looker.get(f"/api/tournaments/{upcoming['id']}")["started"])
        until(lambda: len(listed(looker, "upcoming")) == 1)  # the one of the next week
        assert count(again) == 2


def test_a_start_that_was_missed_for_long_is_cancelled(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'x.sqlite'}"
    server = Inside(url)
    with server.running():
        ada = organiser(server, "ada")
        at = server.time.now() + 60_000
        made = make(ada, public=True, starts_at=at)["id"]
        enter(server, made, "Bo", "Cy")
    again = Inside(url)
    again.time.at = at + 2 * 3_600_000
    with again.running():
        looker = again.browser()
        until(lambda: looker.get(f"/api/tournaments/{made}")["cancelled"] == "missed")


def test_an_operator_switches_off_and_unlists(alone: Inside) -> None:
    weekly = add(alone)
    looker = alone.browser()
    (first,) = until(lambda: listed(looker, "upcoming"))
    alone.run(write, alone, partial(switch_recurring, recurring_id=weekly.id, enabled=False, by=BY))
    alone.time.advance(days=8)
    until(lambda: listed(looker, "finished") == [first])
    alone.run(alone.context.schedule.look)
    assert count(alone) == 1
    ada = organiser(alone, "ada")
    spam = make(ada, public=True)["id"]
    alone.run(write, alone, partial(unlist_tournament, tournament_id=spam, by=BY))
    until(lambda: not ada.get(f"/api/tournaments/{spam}")["public"])
    assert listed(looker, "upcoming") == []


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ({"timezone": "Atlantis/Gone"}, "timezone: unknown"),
        ({"min_players": 1}, "min_players"),
        ({"settings": {**WEEKLY, "name": "\u202e"}}, "name"),
        ({"settings": {**WEEKLY, "format": "chaos"}}, "format"),
    ],
)
def test_what_cannot_be_played_is_not_switched_on(alone: Inside, wish: dict[str, Any], message: str) -> None:
    settings = {"settings": WEEKLY, "weekday": 0, "minute": 0, "min_players": 2, **wish}
    with pytest.raises(RecurringError, match=message):
        alone.run(write, alone, partial(add_recurring, **settings, by=BY))
    unknown = {**settings, "settings": {**WEEKLY, "game": "chess"}, "timezone": "UTC", "min_players": 2}
    with pytest.raises(RecurringError, match="chess"):
        alone.run(write, alone, partial(add_recurring, **unknown, by=BY))


def test_weekly_times_follow_summer_time() -> None:
    weekly = Recurring("x", {}, 6, 19 * 60, "Europe/Lisbon", 2, 14, enabled=True)
    before = datetime(2026, 10, 20, tzinfo=UTC)
    found = [
        datetime.fromtimestamp(at / 1000, UTC) for at in weekly.occurrences(int(before.timestamp() * 1000))
    ]
    assert [f"{at:%m-%d %H:%M}" for at in found] == ["10-25 19:00", "11-01 19:00"]
    summer = datetime(2026, 7, 1, tzinfo=UTC)
    (first, *_) = weekly.occurrences(int(summer.timestamp() * 1000))
    assert f"{datetime.fromtimestamp(first / 1000, UTC):%m-%d %H:%M}" == "07-05 18:00"


def test_previews_and_embeds_of_tournament_boards_follow_the_tournament(alone: Inside) -> None:
    ada = organiser(alone, "ada")
    for public in (True, False):
        made = make(ada, name="Spring <Cup>", public=public)
        for guest, name in ((alone.browser("192.0.2.7"), "Bo"), (alone.browser("192.0.2.8"), "Cy")):
            secret = made["invite"].partition("#")[2]
            guest.post(f"/api/tournaments/{made['id']}/join", {"name": name, "secret": secret})
        ada.post(f"/api/tournaments/{made['id']}/start", {})
        page = ada.get(f"/api/tournaments/{made['id']}")
        board = page["rounds"][0][0]["board"]["table"]
        text = ada.request("GET", f"/tournament/{made['id']}").text
        assert ("Spring &lt;Cup&gt;" in text) == public
        assert ("Bo – Cy" in ada.request("GET", f"/game/{board}").text) == public
        assert ada.ask("GET", f"/api/embed/game/{board}")[0] == (200 if public else 404)
        picture = ada.request("GET", f"/api/previews/tournament/{made['id']}.png")
        assert picture.status_code == (200 if public else 404)


def test_leaders_are_ranked_and_marked_as_bots_and_provisional(alone: Inside) -> None:
    """Four players: a provisional rating never outranks a certain one, however high."""
    for name, bot in (("ada", False), ("ben", False), ("lucky", False), ("robot", True)):
        account = {"name": name, "password": "correct horse battery", "bot": bot}
        alone.browser().post("/api/account", account)
    values = {"ada": (1700.0, 60.0), "ben": (1600.0, 80.0), "lucky": (2400.0, 300.0), "robot": (1650.0, 50.0)}

    def rate(connection: Connection) -> None:
        known = {row.name: row.id for row in connection.execute(select(accounts.c.name, accounts.c.id))}
        for name, (rating, deviation) in values.items():
            row = {"rating": rating, "deviation": deviation, "volatility": 0.06, "games": 9, "updated_at": 1}
            connection.execute(insert(ratings), [{"account_id": known[name], "game": "tailits", **row}])

    alone.run(write, alone, rate)
    looker = alone.browser()
    (board,) = looker.get("/api/leaderboards")["boards"]
    assert (board["game"], board["rated"]) == ("tailits", 4)
    marks = [(one["name"], one["bot"], one["provisional"]) for one in board["players"]]
    certain = [("ada", False, False), ("robot", True, False), ("ben", False, False)]
    assert marks == [*certain, ("lucky", False, True)]
    top = looker.get("/api/ratings?game=tailits&limit=2")["players"]
    assert [one["name"] for one in top] == ["ada", "robot"]


def test_games_of_public_tournaments_are_watched_and_counted(alone: Inside) -> None:
    """Those of private ones are not, nor those of a tournament that an operator took off the list."""
    ada = organiser(alone, "ada")
    stranger = alone.browser("192.0.2.9")
    players = [alone.browser(f"192.0.2.{number}") for number in (7, 8)]
    for browser, name in zip(players, ("bo", "cy"), strict=True):
        browser.register(name)
    games = {}
    for public in (True, False):
        made = make(ada, game="taiji:size=4", public=public, match=True)
        secret = made["invite"].partition("#")[2]
        for browser, name in zip(players, ("bo", "cy"), strict=True):
            browser.post(f"/api/tournaments/{made['id']}/join", {"name": name, "secret": secret})
        ada.post(f"/api/tournaments/{made['id']}/start", {})
        game = players[0].get(f"/api/tournaments/{made['id']}")["board"]
        games[public] = (made["id"], game)
        first = players[0].get(f"/api/tables/{game}")["your_seat"] == "first"
        state = parse_game("taiji:size=4").start()
        for ply in range(3):
            mover = players[(ply % 2) ^ (not first)]
            assert mover.move(game, ply, state.legal()[0].action)[0] == 200
            state = state.play(state.legal()[0])
    tournament, game = games[True]
    assert [one["id"] for one in stranger.get("/api/live")["tables"]] == [game]
    assert [one["id"] for one in stranger.get("/api/players/bo")["playing"]] == [game]
    for _, table in games.values():
        players[0].post(f"/api/tables/{table}/resign", {"id": f"r{table}"})
    until(lambda: [one["id"] for one in stranger.get("/api/results")["tables"]] == [game])
    assert [one["id"] for one in stranger.get("/api/players/cy/tables")["tables"]] == [game]
    assert stranger.get("/api/players/cy")["opponents"][0]["won"] == 1
    alone.run(write, alone, partial(unlist_tournament, tournament_id=tournament, by=BY))
    assert stranger.get("/api/results")["tables"] == []
    assert stranger.get("/api/players/cy/tables")["tables"] == []
    assert stranger.get("/api/players/cy")["games"] == []
    with snapshot(alone.context.store.url) as connection:
        assert [*find_problems(connection), *find_tournament_problems(connection)] == []


def test_a_tournament_that_cannot_be_read_does_not_keep_others_from_starting(alone: Inside) -> None:
    ada = organiser(alone, "ada")
    soon = alone.time.now() + 3_600_000
    broken, good = (make(ada, public=True, starts_at=soon + number)["id"] for number in range(2))
    for one in (broken, good):
        enter(alone, one, "Bo", "Cy")
    lost = update(tournament_events).where(tournament_events.c.tournament_id == broken).values(data={})
    alone.run(write, alone, lambda connection: connection.execute(lost).rowcount)
    alone.context.tournaments.loaded._by_id.clear()
    alone.time.advance(hours=1, seconds=5)
    assert until(lambda: ada.get(f"/api/tournaments/{good}")["started"])
    assert ada.get("/api/health")["tasks"]["schedule"] == {"running": True, "failures": 0, "error": None}
