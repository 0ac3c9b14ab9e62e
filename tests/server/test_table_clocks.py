"""The clocks of a table: what a move, the end of the game and a vacation do to them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from taiji.rules import Seat
from taiji.server.contract.clocks import Correspondence
from taiji.server.contract.events import Moved
from taiji.server.domain import commands
from taiji.server.domain.clocks import DAY_MS, FIRST_MOVE_GRACE_MS
from taiji.server.domain.commands import CommandResult
from taiji.server.domain.table import Table
from tests.server.seated import CLOCK, FIRST, SECOND, do, make_table, play

DAYS = Correspondence(clock_type="correspondence", days=3)


def test_a_move_says_how_long_it_took_with_and_without_a_clock() -> None:
    timed, free = make_table(clock=CLOCK), make_table()
    for table, first_ms in ((timed, 700), (free, 0)):
        taken = []
        for now in (700, 1000, 900):
            moved = play(table, now=now)[0].data
            assert isinstance(moved, Moved)
            taken.append(moved.elapsed_ms)
        assert taken == [first_ms, 300, 0], "a clock that was set back charges nothing"


def test_a_move_starts_the_other_clock_and_the_last_one_none() -> None:
    table = make_table("taiji:size=2", clock=CLOCK)
    assert table.clock is not None
    assert (table.clock.running, table.clock.since) == (FIRST, 0)
    play(table, now=1000)
    assert (table.clock.running, table.clock.since) == (SECOND, 1000)
    play(table, now=1500)
    assert (table.status, table.clock.running) == ("over", None)


def test_lag_can_save_a_move_from_the_flag() -> None:
    table = make_table(clock=CLOCK)
    play(table), play(table)
    chosen = table.state.legal()[0].action
    late = commands.move(table, FIRST, 2, chosen, 60_000)
    assert [draft.data.event_type for draft in late.drafts] == ["end"]
    saved = commands.move(table, FIRST, 2, chosen, 60_000, lag=200)
    assert isinstance(saved.drafts[0].data, Moved)
    assert saved.drafts[0].data.elapsed_ms == 59_800
    assert saved.drafts[0].clock is not None
    assert saved.drafts[0].clock.sides[FIRST].remaining_ms == 200


@pytest.mark.parametrize("ending", [commands.resign, commands.abort])
def test_the_clock_stops_with_the_game(ending: Callable[[Table, Seat, int], CommandResult]) -> None:
    table = make_table(clock=CLOCK)
    do(table, ending(table, SECOND, 20_000))
    assert table.clock is not None
    assert (table.clock.running, table.clock.sides[FIRST].remaining_ms) == (None, 55_000)


def test_a_vacation_stops_a_correspondence_clock_once() -> None:
    table = make_table(clock=DAYS)
    do(table, commands.set_vacation(table, FIRST, 9 * DAY_MS, DAY_MS), DAY_MS)
    assert table.clock is not None
    assert table.clock.away_until == (9 * DAY_MS, 0)
    assert commands.set_vacation(table, FIRST, 9 * DAY_MS, 2 * DAY_MS).drafts == [], "nothing changes"
    assert commands.set_vacation(table, FIRST, 8 * DAY_MS, 2 * DAY_MS).drafts != []
    assert commands.set_vacation(table, SECOND, None, 2 * DAY_MS).drafts == [], "never away"
    assert commands.set_vacation(table, FIRST, None, 9 * DAY_MS).drafts == [], "over by itself"
    do(table, commands.set_vacation(table, FIRST, None, 9 * DAY_MS - 1), 9 * DAY_MS - 1)
    assert table.clock.away_until == (0, 0)


def test_no_vacation_saves_a_flag_or_changes_another_clock() -> None:
    table = make_table(clock=DAYS)
    flagged = 3 * DAY_MS + FIRST_MOVE_GRACE_MS
    assert commands.set_vacation(table, FIRST, 9 * DAY_MS, flagged).drafts == []
    assert commands.set_vacation(table, FIRST, 9 * DAY_MS, flagged - 1).drafts != []
    for other in (make_table(), make_table(clock=CLOCK)):
        assert commands.set_vacation(other, FIRST, 9 * DAY_MS, 0).drafts == []
    do(table, commands.resign(table, FIRST, 0))
    assert commands.set_vacation(table, FIRST, 9 * DAY_MS, 0).drafts == []
