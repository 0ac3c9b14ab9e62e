"""Clocks and time controls."""

from __future__ import annotations

import pytest

from taiji.rules import Seat
from taiji.terminal.clocks import Clock, TimeControl, format_time


class Time:
    """A clock on the wall that is moved by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("10+5", TimeControl(600, 5)),
        ("3", TimeControl(180)),
        ("0.5+1", TimeControl(30, 1)),
        ("none", None),
        ("", None),
    ],
)
def test_controls_are_read(text: str, control: TimeControl | None) -> None:
    assert TimeControl.parse(text) == control
    if control:
        assert TimeControl.parse(str(control)) == control
        assert TimeControl.from_tag(control.tag) == control


@pytest.mark.parametrize("text", ["x", "10+", "+5", "0", "-1+2", "10+5+1", "99999"])
def test_what_is_no_control_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="such as 10\\+5"):
        TimeControl.parse(text)


def test_only_the_clock_of_the_mover_runs() -> None:
    time = Time()
    clock = Clock(TimeControl(60, 5), now=time)
    clock.run(Seat.FIRST)
    time.now += 10
    assert clock.remaining_s(Seat.FIRST) == 50
    assert clock.remaining_s(Seat.SECOND) == 60
    assert clock.press(Seat.FIRST) == 55, "the increment comes after the move"
    time.now += 10
    assert clock.remaining_s(Seat.FIRST) == 55


def test_time_runs_out() -> None:
    time = Time()
    clock = Clock(TimeControl(60), now=time)
    clock.run(Seat.SECOND)
    assert clock.out_of_time is None
    time.now += 61
    assert clock.out_of_time is Seat.SECOND
    assert clock.remaining_s(Seat.SECOND) == 0


def test_a_pause_stops_both() -> None:
    time = Time()
    clock = Clock(TimeControl(60), now=time)
    clock.run(Seat.FIRST)
    time.now += 1
    clock.pause()
    time.now += 100
    assert clock.remaining_s(Seat.FIRST) == 59


@pytest.mark.parametrize(
    ("seconds", "text"), [(3661, "1:01:01"), (600, "10:00"), (59.9, "0:59"), (9.94, "0:09.9"), (0, "0:00.0")]
)
def test_times_are_shown(seconds: float, text: str) -> None:
    assert format_time(seconds) == text
