"""Clocks: what each kind of time control charges, forgives and ends."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taiji.rules import Seat
from taiji.server.contract.clocks import CLOCK_CHOICE, SideClockInfo
from taiji.server.domain.clocks import (
    DAY_MS,
    FIRST_MOVE_GRACE_MS,
    RESUME_GRACE_MS,
    Clock,
    ClockRule,
    SideClock,
)

SECOND = 1000


def clock_rule(data: dict[str, Any]) -> ClockRule:
    return ClockRule.from_choice(CLOCK_CHOICE.validate_python(data))


def clock(**data: Any) -> Clock:
    """A clock past both players' first moves, FIRST to move since time 0."""
    new = Clock.new(clock_rule(data))
    one, two = (SideClock(side.remaining_ms, side.periods, moved=True) for side in new.sides)
    return Clock(new.rule, (one, two)).start(Seat.FIRST, 0)


def left(clock: Clock, seat: Seat = Seat.FIRST) -> int:
    return clock.sides[seat].remaining_ms


@pytest.mark.parametrize(
    ("data", "rule", "side"),
    [
        (
            {"clock_type": "sudden", "main_s": 300},
            ClockRule("sudden", 300_000, 0, 0, 0, 0),
            SideClock(300_000, 0, False),
        ),
        (
            {"clock_type": "fischer", "main_s": 60, "increment_s": 5},
            ClockRule("fischer", 60_000, 5_000, 0, 0, 0),
            SideClock(60_000, 0, False),
        ),
        (
            {"clock_type": "bronstein", "main_s": 60, "delay_s": 3},
            ClockRule("bronstein", 60_000, 0, 3_000, 0, 0),
            SideClock(60_000, 0, False),
        ),
        (
            {"clock_type": "byoyomi", "main_s": 60, "periods": 3, "period_s": 20},
            ClockRule("byoyomi", 60_000, 0, 0, 3, 20_000),
            SideClock(60_000, 4, False),
        ),
        (
            {"clock_type": "byoyomi", "main_s": 0, "periods": 3, "period_s": 20},
            ClockRule("byoyomi", 0, 0, 0, 3, 20_000),
            SideClock(20_000, 3, False),
        ),
        (
            {"clock_type": "correspondence", "days": 3},
            ClockRule("correspondence", 259_200_000, 0, 0, 0, 0),
            SideClock(259_200_000, 0, False),
        ),
    ],
)
def test_a_new_clock_has_its_whole_time(data: dict[str, Any], rule: ClockRule, side: SideClock) -> None:
    assert clock_rule(data) == rule
    new = Clock.new(rule)
    assert (new.sides, new.running, new.since, new.grace_ms) == ((side, side), None, 0, 0)


def test_the_defaults_of_a_rule_charge_and_give_nothing() -> None:
    rule = ClockRule("sudden", 1000)
    assert (rule.increment_ms, rule.delay_ms, rule.periods, rule.period_ms) == (0, 0, 0, 0)


def test_a_first_move_has_15_seconds_and_a_restart_8() -> None:
    assert (FIRST_MOVE_GRACE_MS, RESUME_GRACE_MS) == (15_000, 8_000)


def test_sudden_death_charges_what_was_thought() -> None:
    after = clock(clock_type="sudden", main_s=300).press(10 * SECOND)
    assert left(after) == 290 * SECOND
    assert after.running is None


def test_fischer_adds_after_the_move() -> None:
    assert left(clock(clock_type="fischer", main_s=300, increment_s=5).press(10 * SECOND)) == 295 * SECOND


def test_bronstein_gives_back_at_most_what_was_used() -> None:
    rule = {"clock_type": "bronstein", "main_s": 300, "delay_s": 5}
    assert left(clock(**rule).press(3 * SECOND)) == 300 * SECOND
    assert left(clock(**rule).press(12 * SECOND)) == 293 * SECOND


def test_a_grace_that_is_over_is_shown_as_0() -> None:
    start = replace(clock(clock_type="sudden", main_s=60), since=0, grace_ms=10 * SECOND)
    assert start.view(10 * SECOND - 1).grace_ms == 1
    assert start.view(10 * SECOND).grace_ms == 0
    assert start.view(20 * SECOND).grace_ms == 0
    assert replace(start, running=None).view(0).grace_ms == 0


def test_byoyomi_periods_are_lost_whole_and_otherwise_renewed() -> None:
    start = clock(clock_type="byoyomi", main_s=10, periods=3, period_s=30)
    in_main = start.press(4 * SECOND)
    assert (left(in_main), in_main.view(0).first.periods) == (6 * SECOND, 3)
    first_period = start.press(39 * SECOND)
    assert (left(first_period), first_period.view(0).first.periods) == (30 * SECOND, 3)
    second_period = start.press(41 * SECOND)
    assert (left(second_period), second_period.view(0).first.periods) == (30 * SECOND, 2)
    assert not start.has_flagged(100 * SECOND - 1)
    assert start.has_flagged(100 * SECOND)
    assert start.deadline == 100 * SECOND


@pytest.mark.parametrize(("elapsed_s", "periods"), [(10, 3), (40, 2), (70, 1)])
def test_a_byoyomi_period_begins_when_exactly_0_ms_are_left(elapsed_s: int, periods: int) -> None:
    start = clock(clock_type="byoyomi", main_s=10, periods=3, period_s=30)
    assert not start.has_flagged(elapsed_s * SECOND)
    assert start.view(elapsed_s * SECOND).first == SideClockInfo(remaining_ms=30 * SECOND, periods=periods)
    pressed = start.press(elapsed_s * SECOND)
    assert (left(pressed), pressed.view(0).first.periods) == (30 * SECOND, periods)


def test_a_millisecond_before_it_the_main_time_still_runs() -> None:
    start = clock(clock_type="byoyomi", main_s=10, periods=3, period_s=30)
    last = start.press(10 * SECOND - 1)
    assert (left(last), last.view(0).first.periods) == (1, 3)


def test_byoyomi_without_main_time_starts_in_a_period() -> None:
    start = clock(clock_type="byoyomi", main_s=0, periods=1, period_s=30)
    assert left(start.press(29 * SECOND)) == 30 * SECOND
    assert start.deadline == 30 * SECOND


def test_correspondence_gives_the_days_anew() -> None:
    start = clock(clock_type="correspondence", days=3)
    assert left(start.press(2 * DAY_MS)) == 3 * DAY_MS
    assert start.has_flagged(3 * DAY_MS)


def test_a_first_move_is_free_for_a_while() -> None:
    start = Clock.new(clock_rule({"clock_type": "sudden", "main_s": 60})).start(Seat.FIRST, 0)
    assert left(start.press(FIRST_MOVE_GRACE_MS)) == 60 * SECOND
    assert left(start.press(FIRST_MOVE_GRACE_MS + SECOND)) == 59 * SECOND
    second = start.press(0).start(Seat.SECOND, 0)
    assert second.grace_ms == FIRST_MOVE_GRACE_MS
    again = second.press(0).start(Seat.FIRST, 0)
    assert again.grace_ms == 0


def test_lag_is_not_charged_and_can_save_the_flag() -> None:
    start = clock(clock_type="sudden", main_s=10)
    assert left(start.press(5 * SECOND, lag=300)) == 5300
    assert start.has_flagged(10 * SECOND)
    assert not start.has_flagged(10 * SECOND, lag=200)


def test_nobody_pays_while_the_server_is_away() -> None:
    start = clock(clock_type="sudden", main_s=60)
    back = start.resume(went_down=20 * SECOND, came_back=500 * SECOND)
    assert left(back) == 40 * SECOND
    assert left(back.press(500 * SECOND + RESUME_GRACE_MS)) == 40 * SECOND
    assert left(back.press(500 * SECOND + RESUME_GRACE_MS + SECOND)) == 39 * SECOND


@pytest.mark.parametrize("heartbeat_s", [60, 61, 3600])
def test_a_clock_that_ran_out_before_a_restart_can_still_be_pressed(heartbeat_s: int) -> None:
    start = clock(clock_type="sudden", main_s=60)
    back = start.resume(went_down=heartbeat_s * SECOND, came_back=5000 * SECOND)
    assert left(back) == 1
    assert not back.has_flagged(5000 * SECOND + RESUME_GRACE_MS)
    assert back.has_flagged(5000 * SECOND + RESUME_GRACE_MS + 1)
    assert back.deadline == 5000 * SECOND + RESUME_GRACE_MS + 1


def test_free_time_that_was_left_survives_a_restart() -> None:
    start = Clock.new(clock_rule({"clock_type": "sudden", "main_s": 60})).start(Seat.FIRST, 3 * SECOND)
    back = start.resume(went_down=8 * SECOND, came_back=100 * SECOND)
    assert back.grace_ms == FIRST_MOVE_GRACE_MS - 5 * SECOND + RESUME_GRACE_MS


def test_a_heartbeat_older_than_the_turn_charges_nothing() -> None:
    start = clock(clock_type="sudden", main_s=60).press(SECOND).start(Seat.SECOND, SECOND)
    assert left(start.resume(went_down=0, came_back=9 * SECOND), Seat.SECOND) == 60 * SECOND


def test_the_view_counts_down_and_never_below_zero() -> None:
    start = clock(clock_type="sudden", main_s=60)
    assert start.view(10 * SECOND).first == SideClockInfo(remaining_ms=50 * SECOND, periods=None)
    assert start.view(99 * SECOND).first.remaining_ms == 0
    assert start.view(10 * SECOND).running == "first"


@pytest.mark.parametrize(
    "rule",
    [
        {"clock_type": "sudden", "main_s": 60},
        {"clock_type": "fischer", "main_s": 60, "increment_s": 2},
        {"clock_type": "bronstein", "main_s": 60, "delay_s": 2},
        {"clock_type": "byoyomi", "main_s": 5, "periods": 3, "period_s": 10},
    ],
)
@given(thoughts=st.lists(st.integers(0, 40_000), max_size=30))
def test_any_game_keeps_its_laws(rule: dict[str, Any], thoughts: list[int]) -> None:
    """A flag falls when its deadline has come, a clock survives storage, and times stay in bounds."""
    now, current = 0, Clock.new(clock_rule(rule)).start(Seat.FIRST, 0)
    for thought in thoughts:
        assert Clock.from_json(current.rule, current.to_json()) == current
        assert current.deadline is not None
        assert current.running is not None
        before = current.sides[current.running.other]
        now += thought
        assert current.has_flagged(now) == (now >= current.deadline)
        if current.has_flagged(now):
            return
        seat = current.running
        pressed = current.press(now)
        assert pressed.sides[seat].remaining_ms > 0
        assert pressed.sides[seat.other] == before
        current = pressed.start(seat.other, now)


def test_the_thinking_time_is_that_since_the_turn_began() -> None:
    start = clock(clock_type="sudden", main_s=60).press(SECOND).start(Seat.SECOND, 2 * SECOND)
    assert start.elapsed(5 * SECOND) == 3 * SECOND
    assert start.elapsed(5 * SECOND, lag=400) == 2600
    assert start.elapsed(SECOND) == 0, "a time before the turn"
    assert start.press(5 * SECOND).elapsed(9 * SECOND) == 0, "no clock runs"


def test_a_clock_that_stands_has_no_deadline_and_is_not_changed() -> None:
    stands = clock(clock_type="sudden", main_s=60).press(SECOND)
    assert stands.deadline is None
    assert not stands.has_flagged(10**12)
    assert stands.stop(9 * SECOND) == stands
    assert stands.resume(9 * SECOND, 20 * SECOND) == stands
    assert stands.view(9 * SECOND).running is None


def test_a_stopped_clock_keeps_what_was_left() -> None:
    start = clock(clock_type="sudden", main_s=60)
    stopped = start.stop(20 * SECOND)
    assert (left(stopped), stopped.running, stopped.grace_ms) == (40 * SECOND, None, 0)
    assert left(start.stop(61 * SECOND)) == 0


def test_the_view_names_the_seat_whose_clock_runs() -> None:
    start = clock(clock_type="sudden", main_s=60)
    second = start.press(SECOND).start(Seat.SECOND, SECOND)
    assert (start.view(0).running, second.view(SECOND).running) == ("first", "second")
    shown = second.view(3 * SECOND)
    assert (shown.first.remaining_ms, shown.second.remaining_ms) == (59 * SECOND, 58 * SECOND)


# --- vacations ---------------------------------------------------------------------------------------------


def test_a_clock_stands_while_its_player_is_away() -> None:
    away = clock(clock_type="correspondence", days=3).set_away(Seat.FIRST, 10 * DAY_MS, DAY_MS)
    assert (left(away), away.running, away.since) == (2 * DAY_MS, Seat.FIRST, DAY_MS)
    shown = away.view(2 * DAY_MS)
    assert shown.first == SideClockInfo(remaining_ms=2 * DAY_MS, periods=None, away_until=10 * DAY_MS)
    assert (shown.grace_ms, shown.second.away_until) == (8 * DAY_MS, None)
    assert away.view(10 * DAY_MS).first.away_until is None
    assert away.deadline == 12 * DAY_MS
    assert not away.has_flagged(12 * DAY_MS - 1)
    assert away.has_flagged(12 * DAY_MS)


def test_a_player_who_is_back_early_is_charged_from_then_on() -> None:
    away = clock(clock_type="correspondence", days=3).set_away(Seat.FIRST, 10 * DAY_MS, DAY_MS)
    back = away.set_away(Seat.FIRST, None, 5 * DAY_MS)
    assert (left(back), back.away_until, back.deadline) == (2 * DAY_MS, (0, 0), 7 * DAY_MS)


def test_a_player_may_be_away_while_the_other_thinks() -> None:
    start = clock(clock_type="correspondence", days=3)
    away = start.set_away(Seat.SECOND, 10 * DAY_MS, DAY_MS)
    assert away == replace(start, away_until=(0, 10 * DAY_MS))
    both = away.set_away(Seat.FIRST, 4 * DAY_MS, DAY_MS)
    assert both.away_until == (4 * DAY_MS, 10 * DAY_MS)
    assert both.set_away(Seat.SECOND, None, DAY_MS).away_until == (4 * DAY_MS, 0)
    assert away.press(2 * DAY_MS).start(Seat.SECOND, 2 * DAY_MS).deadline == 13 * DAY_MS
    stopped = start.press(DAY_MS)
    later = stopped.set_away(Seat.FIRST, 9 * DAY_MS, 2 * DAY_MS)
    assert later == replace(stopped, away_until=(9 * DAY_MS, 0))


@pytest.mark.parametrize(("gone_s", "grace_s", "left_s"), [(5, 10, 60), (15, 0, 60), (20, 0, 55)])
def test_free_time_that_was_left_survives_a_vacation(gone_s: int, grace_s: int, left_s: int) -> None:
    start = Clock.new(clock_rule({"clock_type": "sudden", "main_s": 60})).start(Seat.FIRST, 3 * SECOND)
    away = start.set_away(Seat.FIRST, 1000 * SECOND, (3 + gone_s) * SECOND)
    assert (away.grace_ms, left(away)) == (grace_s * SECOND, left_s * SECOND)


def test_a_vacation_survives_storage_and_a_restart() -> None:
    start = clock(clock_type="correspondence", days=3)
    away = start.set_away(Seat.SECOND, 10 * DAY_MS, DAY_MS)
    assert (len(start.to_json()), len(away.to_json())) == (5, 6)
    for one in (start, away, start.set_away(Seat.FIRST, 10 * DAY_MS, DAY_MS)):
        assert Clock.from_json(one.rule, one.to_json()) == one
    assert away.resume(went_down=DAY_MS, came_back=2 * DAY_MS).away_until == (0, 10 * DAY_MS)
