"""Sessions: turns, undo, resignation, time, matches."""

from __future__ import annotations

from pathlib import Path

import pytest

from taiji.notation import Result, Termination
from taiji.rules import IllegalMove, MatchRule, Seat
from taiji.terminal.clocks import Clock, TimeControl
from tests.terminal.sessions import session
from tests.terminal.test_clocks import Time


def test_undo_goes_back_to_a_person(tmp_path: Path) -> None:
    alone = session("taiji:size=4", tmp_path, players=("person", "random"), plies=4)
    assert alone.undo() == 2
    assert alone.waits_for_person
    assert len(alone.moves) == 2
    together = session("taiji:size=4", tmp_path, plies=3)
    assert together.undo() == 1
    assert session("taiji:size=4", tmp_path, players=("random", "random"), plies=3).undo() == 0
    assert session("taiji:size=4", tmp_path).undo() == 0


def test_undo_after_the_end_goes_on(tmp_path: Path) -> None:
    begun = session("taiji:size=3", tmp_path, plies=99)
    assert begun.is_over
    begun.undo()
    assert not begun.is_over
    begun.resign()
    assert begun.is_over
    begun.undo()
    assert not begun.is_over


def test_a_resignation_is_recorded(tmp_path: Path) -> None:
    begun = session("taiji:size=4", tmp_path, plies=1)
    begun.resign()
    assert begun.winner is Seat.FIRST
    record = begun.record()
    assert record.result is Result.LIGHT
    assert record.termination is Termination.RESIGNED
    assert not record.replay().problems


def test_time_ends_a_game(tmp_path: Path) -> None:
    begun = session("taiji:size=4", tmp_path, control=TimeControl(60))
    time = Time()
    begun.clock = Clock(TimeControl(60), now=time)
    begun.start_clock()
    assert not begun.check_time()
    time.now += 61
    assert begun.check_time()
    assert begun.termination is Termination.TIME
    assert begun.winner is Seat.SECOND
    assert not begun.check_time(), "once is enough"


def test_an_illegal_move_changes_nothing(tmp_path: Path) -> None:
    begun = session("taiji:size=4", tmp_path, plies=1)
    with pytest.raises(IllegalMove):
        begun.play(begun.moves[0])
    assert len(begun.moves) == 1


def test_a_match_exchanges_colours_and_adds_up(tmp_path: Path) -> None:
    begun = session(
        "taiji:size=3", tmp_path, players=("person", "random"), plies=99, match=MatchRule.NESTORGAMES
    )
    first = begun.state.scores()
    assert begun.more_to_play
    assert begun.match_result() is None
    begun.next_game()
    assert begun.player(Seat.FIRST) == "random"
    assert begun.match_context is not None
    assert begun.match_context.lead == first.second - first.first != 0
    assert begun.match_context.tie_winner is None
    while not begun.is_over:
        begun.play(begun.state.legal()[0])
    result = begun.match_result()
    assert result is not None
    second = begun.state.scores()
    assert result.totals == (first.first + second.second, first.second + second.first)
    begun.close()
    assert (tmp_path / "games.tji").read_text().count("[MatchGame") == 2


def test_blue_panther_gives_ties_to_dark_of_the_second_game(tmp_path: Path) -> None:
    begun = session("taiji:size=3", tmp_path, plies=99, match=MatchRule.BLUE_PANTHER)
    begun.next_game()
    assert begun.match_context is not None
    assert begun.match_context.tie_winner is Seat.SECOND


def test_equal_totals_of_blue_panther_go_to_the_second_seat_of_game_two(tmp_path: Path) -> None:
    begun = session("taiji:size=3", tmp_path, plies=99, match=MatchRule.BLUE_PANTHER)
    assert begun.match_context is None
    begun.next_game()
    assert begun.match_context is not None
    assert begun.match_context.tie_winner is Seat.SECOND
