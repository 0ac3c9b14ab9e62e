"""Takebacks and rematches: who may offer, who answers, and what withdraws an offer."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from taiji.rules import Seat
from taiji.server.contract.tables import Offers, Presence
from taiji.server.domain import commands
from taiji.server.domain.commands import CommandResult
from taiji.server.domain.table import (
    Table,
)
from taiji.server.domain.views import table_view
from tests.server.seated import CLOCK, FIRST, SECOND, do, make_table, play, refused

ABSENT = Presence(first=False, second=False, watchers=0)


def test_the_computer_grants_a_takeback_at_once() -> None:
    table = make_table(computer=True)
    with refused("nothing-to-take-back"):
        commands.takeback(table, FIRST, 0)
    play(table)
    do(table, commands.takeback(table, FIRST, 0))
    assert (len(table.moves), table.turn) == (0, FIRST)
    play(table)
    play(table)
    do(table, commands.takeback(table, FIRST, 0))
    assert (len(table.moves), table.turn) == (0, FIRST)
    assert table.state == table.game.start()


def test_a_person_is_asked_for_a_takeback() -> None:
    table = make_table()
    play(table)
    play(table)
    do(table, commands.takeback(table, FIRST, 0))
    assert table.takeback_offer is FIRST
    with refused("no-offer"):
        commands.answer_takeback(table, FIRST, True, 0)
    do(table, commands.answer_takeback(table, SECOND, False, 0))
    assert table.takeback_offer is None
    do(table, commands.takeback(table, SECOND, 0))
    do(table, commands.answer_takeback(table, FIRST, True, 0))
    assert len(table.moves) == 1
    with refused("takebacks-off"):
        strict = make_table(takebacks=False)
        play(strict)
        commands.takeback(strict, FIRST, 0)


def test_who_has_not_moved_has_nothing_to_take_back() -> None:
    table = make_table()
    for seat in (FIRST, SECOND):
        with refused("nothing-to-take-back"):
            commands.takeback(table, seat, 0)
    play(table)
    with refused("nothing-to-take-back"):
        commands.takeback(table, SECOND, 0)


def test_a_takeback_restarts_the_clock_of_whose_turn_it_is_again() -> None:
    table = make_table(clock=CLOCK)
    play(table, now=20_000)
    do(table, commands.takeback(table, FIRST, 21_000), 21_000)
    do(table, commands.answer_takeback(table, SECOND, True, 40_000), 40_000)
    assert table.clock is not None
    assert (table.clock.running, table.clock.since) == (FIRST, 40_000)
    assert [side.remaining_ms for side in table.clock.sides] == [55_000, 55_000]


def test_the_next_move_refuses_a_takeback() -> None:
    table = make_table()
    play(table)
    do(table, commands.takeback(table, FIRST, 0))
    assert [event.event_type for event in play(table)][:2] == ["takeback-refused", "move"]
    assert table.takeback_offer is None


@pytest.mark.parametrize("ending", [commands.resign, lambda table, seat, now: commands.flag_fall(table, now)])
def test_the_end_of_the_game_withdraws_a_takeback_offer(
    ending: Callable[[Table, Seat, int], CommandResult],
) -> None:
    table = make_table(clock=CLOCK)
    play(table)
    do(table, commands.takeback(table, FIRST, 0))
    assert table.takeback_offer is FIRST
    do(table, ending(table, SECOND, 0))
    assert table.takeback_offer is None
    view = table_view(table, 0, your_seat=None, presence=ABSENT, thinking=False)
    assert (view.status, view.offers) == ("over", Offers(takeback=None, rematch=None))


def test_a_takeback_undoes_a_swap() -> None:
    table = make_table("battle-of-lits")
    play(table)
    assert table.game.swap is not None
    play(table, table.game.swap.action)
    assert table.turn is FIRST
    do(table, commands.takeback(table, SECOND, 0))
    do(table, commands.answer_takeback(table, FIRST, True, 0))
    assert not table.state.swapped
    assert table.turn is SECOND


def test_a_rematch_takes_two_or_a_computer() -> None:
    table = make_table()
    with refused("not-over"):
        commands.rematch(table, FIRST)
    do(table, commands.resign(table, FIRST, 0))
    do(table, commands.rematch(table, FIRST))
    assert table.rematch_offer is FIRST
    assert commands.rematch(table, FIRST) == CommandResult([])
    assert commands.rematch(table, SECOND).next_table == "rematch"
    alone = make_table(computer=True)
    do(alone, commands.resign(alone, FIRST, 0))
    assert commands.rematch(alone, FIRST).next_table == "rematch"
