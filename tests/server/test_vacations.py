"""Vacations: correspondence clocks rest for a bounded number of days; the agenda shows deadlines."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from taiji.rules import Seat
from taiji.server.contract.clocks import Correspondence
from taiji.server.domain.clocks import DAY_MS, RESUME_GRACE_MS, Clock, ClockRule
from taiji.server.store.database import migrate, parse_url, writing_engine
from taiji.server.store.identities import lock_player
from taiji.server.store.schema import visitors
from tests.server.inside import Browser, Inside
from tests.server.postgres import Postgres
from tests.waiting import PATIENCE_S, wait_until

DAYS = {"clock_type": "correspondence", "days": 3}


@pytest.fixture
def inside(tmp_path: Path) -> Iterator[Inside]:
    with Inside(f"sqlite:///{tmp_path / 'x.sqlite'}").running() as server:
        yield server


def joined(ada: Browser, bob: Browser, clock: Any = DAYS) -> str:
    table: str = ada.table(colour="light", match=False, clock=clock)["id"]
    bob.post(f"/api/tables/{table}/join")
    return table


def clock_of(browser: Browser, table: str) -> Any:
    return browser.get(f"/api/tables/{table}")["clock"]


def end_vacation(browser: Browser) -> Any:
    status, info = browser.ask("DELETE", "/api/vacation")
    assert status == 200, info
    return info


def test_a_clock_rests_and_goes_on_where_it_was(inside: Inside) -> None:
    ada, bob = inside.browser(), inside.browser()
    table = joined(ada, bob)
    live = joined(ada, bob, {"clock_type": "sudden", "main_s": 600})
    inside.time.advance(days=1)
    before = clock_of(bob, table)["first"]["remaining_ms"]
    info = ada.post("/api/vacation", {"days": 5})
    assert (info["days_left"], info["until"]) == (25, inside.time.now() + 5 * DAY_MS)
    assert clock_of(bob, table)["first"]["away_until"] == info["until"]  # the opponent sees it
    assert clock_of(bob, live)["first"]["away_until"] is None
    inside.time.advance(days=4)
    assert clock_of(bob, table)["first"]["remaining_ms"] == before
    assert clock_of(bob, table)["running"] == "first"
    inside.time.advance(days=1, hours=12)  # half a day after its end
    after = clock_of(bob, table)["first"]
    assert (after["remaining_ms"], after["away_until"]) == (before - DAY_MS // 2, None)


def test_the_opponents_clock_runs_and_moves_may_be_played(inside: Inside) -> None:
    ada, bob = inside.browser(), inside.browser()
    table = joined(ada, bob)
    ada.post("/api/vacation", {"days": 10})
    assert ada.move(table, 0, 0)[0] == 200
    inside.time.advance(days=2)
    assert clock_of(ada, table)["second"]["remaining_ms"] == DAY_MS + 15_000
    assert bob.move(table, 1, "d3/d4")[0] == 200
    inside.time.advance(days=7)
    assert clock_of(ada, table)["first"]["remaining_ms"] == 3 * DAY_MS
    assert ada.ask("POST", "/api/vacation", {"days": 1}) == (409, "away")
    assert end_vacation(ada)["days_left"] == 21  # nine days are used
    inside.time.advance(days=1)
    assert clock_of(ada, table)["first"]["remaining_ms"] == 2 * DAY_MS
    assert ada.ask("DELETE", "/api/vacation") == (404, "not-found")


def test_a_game_that_begins_during_a_vacation(inside: Inside) -> None:
    ada, bob = inside.browser(), inside.browser()
    until = ada.post("/api/vacation", {"days": 3})["until"]
    table = joined(ada, bob)
    wait_until(lambda: clock_of(bob, table)["first"]["away_until"] == until, "the game is not told")


def test_days_are_bounded_per_year(inside: Inside) -> None:
    ada = inside.browser()
    assert ada.ask("POST", "/api/vacation", {"days": 31})[0] == 422
    ada.post("/api/vacation", {"days": 20})
    assert end_vacation(ada)["days_left"] == 29  # a day that has begun counts
    for _ in range(29):
        ada.post("/api/vacation", {"days": 1})
        end_vacation(ada)
    assert ada.ask("POST", "/api/vacation", {"days": 1}) == (409, "no-days-left")
    inside.time.advance(days=366)
    assert ada.get("/api/agenda")["vacation"]["days_left"] == 30


def test_a_vacation_that_a_crash_kept_from_a_game_is_repaired(inside: Inside) -> None:
    ada, bob = inside.browser(), inside.browser()
    table = joined(ada, bob)
    rooms = inside.context.vacations._rooms

    async def fail(*_: object) -> int:
        raise KeyError("the server dies here")

    perform, rooms.perform = rooms.perform, fail  # type: ignore[method-assign]
    assert ada.ask("POST", "/api/vacation", {"days": 2})[0] == 500
    rooms.perform = perform  # type: ignore[method-assign]
    assert clock_of(bob, table)["first"]["away_until"] is None
    inside.run(inside.context.vacations.repair)
    assert clock_of(bob, table)["first"]["away_until"] is not None


def test_a_crash_during_a_vacation_makes_it_no_longer() -> None:
    rule = ClockRule.from_choice(Correspondence(clock_type="correspondence", days=3))
    clock = Clock.new(rule).start(Seat.FIRST, 0).press(0).start(Seat.FIRST, 0)
    away = clock.set_away(Seat.FIRST, 10 * DAY_MS, DAY_MS)
    assert away.deadline == 12 * DAY_MS
    back = away.resume(went_down=4 * DAY_MS, came_back=6 * DAY_MS)
    assert back.deadline == 12 * DAY_MS
    late = away.resume(went_down=9 * DAY_MS, came_back=11 * DAY_MS)
    assert late.deadline == 13 * DAY_MS + RESUME_GRACE_MS  # the downtime after it is not charged
    assert Clock.from_json(rule, away.to_json()) == away
    assert Clock.from_json(rule, clock.to_json()) == clock
    home = away.set_away(Seat.FIRST, None, 3 * DAY_MS)
    assert home.deadline == 5 * DAY_MS


def test_the_agenda_is_sorted_by_deadline(inside: Inside) -> None:
    ada, bob = inside.browser(), inside.browser()
    later = joined(ada, bob, {"clock_type": "correspondence", "days": 7})
    sooner = joined(ada, bob)
    timeless = joined(bob, ada, None)
    entries = ada.get("/api/agenda")["entries"]
    assert [one["table"]["id"] for one in entries] == [sooner, later, timeless]
    assert [one["your_turn"] for one in entries] == [True, True, False]
    assert entries[0]["deadline"] == inside.time.now() + 3 * DAY_MS + 15_000
    ada.post("/api/vacation", {"days": 2})
    assert ada.get("/api/agenda")["entries"][0]["away_until"] == inside.time.now() + 2 * DAY_MS


def test_two_servers_count_the_days_of_a_player_one_after_the_other(postgres: Postgres) -> None:
    """Otherwise two requests at once would both see the days that are left."""
    url = parse_url(postgres.new_database())
    engine, elsewhere = writing_engine(url), writing_engine(url)
    migrate(engine)
    with engine.begin() as connection:
        connection.execute(insert(visitors), [{"id": "ada", "created_at": 0}])
    locked = threading.Event()

    def other() -> None:
        with elsewhere.begin() as connection:
            lock_player(connection, {"ada"})
            locked.set()

    waiting = threading.Thread(target=other)
    with engine.begin() as connection:
        lock_player(connection, {"ada", "somebody before"})
        waiting.start()
        assert not locked.wait(0.3)
    assert locked.wait(PATIENCE_S)
    waiting.join()
    for one in (engine, elsewhere):
        one.dispose()
