"""What players may do at a table, without any server."""

from __future__ import annotations

import random

import pytest

from taiji.server.contract.errors import ApiError, ErrorReason
from taiji.server.contract.events import Moved
from taiji.server.contract.tables import GameResult
from taiji.server.domain import commands
from taiji.server.domain.table import (
    Event,
    MatchSlot,
    SeatedPlayer,
    Table,
    optional_seat_name,
    seat_scores,
)
from tests.server.seated import CLOCK, FIRST, SECOND, do, make_table, play, play_out, refused


def test_a_game_is_played_to_its_end_and_scored() -> None:
    table = make_table()
    play_out(table)
    outcome = table.state.outcome()
    assert outcome is not None
    assert table.result == GameResult(
        winner=optional_seat_name(outcome.winner), ended_by="score", scores=seat_scores(outcome.scores)
    )
    assert table.turn is None


@pytest.mark.parametrize(
    "game", ["tailits", "battle-of-lits", "taiji+battle-of-lits:size=5", "tailits+taiji"]
)
def test_events_alone_rebuild_a_table(game: str) -> None:
    table = make_table(game, clock=CLOCK)
    events: list[Event] = []
    dice = random.Random(3)
    while table.status == "playing" and len(table.moves) < 30:
        events += play(table, dice.choice(table.state.legal()).action)
    again = Table.new("t", table.settings, 0)
    for event in [*_sat_down(table), *events]:
        again.apply(event)
    assert (again.state, again.moves, again.clock, again.result) == (
        table.state, table.moves, table.clock, table.result,
    )  # fmt: skip


def _sat_down(table: Table) -> list[Event]:
    fresh = Table.new("t", table.settings, 0)
    events = do(fresh, commands.join(fresh, FIRST, SeatedPlayer("ada", "Ada"), 0))
    return events + do(fresh, commands.join(fresh, SECOND, SeatedPlayer("bob", "Bob"), 0))


def test_moves_are_refused_with_their_reason() -> None:
    table = make_table()
    with refused("not-your-turn"):
        commands.move(table, SECOND, 0, 0, 0)
    with refused("stale-ply"):
        commands.move(table, FIRST, 1, 0, 0)
    with refused("bad-move"):
        commands.move(table, FIRST, 0, 99_999, 0)
    with refused("bad-move"):
        commands.move(table, FIRST, 0, "what", 0)
    with pytest.raises(ApiError) as off_board:
        commands.move(table, FIRST, 0, "z9/z8", 0)
    assert off_board.value.reason is not None
    play(table, 0)
    with pytest.raises(ApiError) as occupied:
        commands.move(table, SECOND, 1, 0, 0)
    assert occupied.value.code == "illegal-move"
    assert occupied.value.body().reason == ErrorReason(code="occupied", cells=("a1",), kind="")


def test_a_move_by_its_text_is_the_move_by_its_number() -> None:
    table = make_table()
    event = do(table, commands.move(table, FIRST, 0, "B1-a1", 0))[0]
    assert isinstance(event.data, Moved)
    assert event.data.text == "b1/a1"
    assert event.data.action == table.state.placed[0][0]


def test_a_move_tells_whose_turn_it_is_and_at_the_end_that_it_is_nobodys() -> None:
    table = make_table("taiji:size=2")
    first = play(table)[0]
    assert isinstance(first.data, Moved)
    assert first.data.turn == "second"
    last = play(table)[0]
    assert isinstance(last.data, Moved)
    assert (table.status, last.data.turn) == ("over", None)


def test_a_seat_is_taken_once_and_only_while_the_table_waits() -> None:
    settings = make_table().settings
    waiting = Table.new("w", settings, 0)
    do(waiting, commands.join(waiting, FIRST, SeatedPlayer("ada", "Ada"), 0))
    with refused("taken"):
        commands.join(waiting, FIRST, SeatedPlayer("bob", "Bob"), 0)
    do(waiting, commands.abort(waiting, FIRST, 0))
    with refused("not-started"):  # nobody came who could play again
        commands.rematch(waiting, FIRST)
    called_off = Table.new("c", settings, 0)
    do(called_off, commands.cancel(called_off, 0))
    with refused("taken"):
        commands.join(called_off, FIRST, SeatedPlayer("ada", "Ada"), 0)


def test_what_changes_nothing_writes_nothing() -> None:
    table = make_table()
    play(table)
    do(table, commands.takeback(table, FIRST, 0))
    assert commands.takeback(table, FIRST, 0).drafts == [], "it is offered already"
    do(table, commands.resign(table, SECOND, 0))
    assert commands.cancel(table, 0).drafts == [], "it is over already"
    with refused("over"):
        commands.takeback(table, FIRST, 0)
    with refused("over"):
        commands.answer_takeback(table, SECOND, True, 0)


def test_a_move_that_is_illegal_now_is_refused_before_it_is_kept_for_later() -> None:
    table = make_table()
    play(table, 0)
    with refused("illegal-move"):
        commands.legal_move(table.state, 0)
    chosen = table.state.legal()[0]
    assert commands.legal_move(table.state, str(chosen)) == chosen


def test_only_a_browser_that_holds_a_seat_by_a_link_can_lose_it() -> None:
    table = make_table()
    do(table, commands.add_device(table, SECOND, "phone"))
    assert table.holders[SECOND] == {"bob", "phone"}
    for user in ("ada", "bob", "stranger"):
        assert commands.remove_device(table, user).drafts == []
    do(table, commands.remove_device(table, "phone"))
    assert (table.holders[FIRST], table.holders[SECOND]) == ({"ada"}, {"bob"})


def test_nothing_is_played_after_the_end_or_before_the_start() -> None:
    table = make_table()
    do(table, commands.resign(table, FIRST, 0))
    assert table.result is not None
    assert (table.result.winner, table.result.ended_by) == ("second", "resign")
    with refused("over"):
        commands.move(table, FIRST, 0, 0, 0)
    with refused("over"):
        commands.resign(table, SECOND, 0)
    waiting = Table.new("w", table.settings, 0)
    with refused("not-started"):
        commands.move(waiting, FIRST, 0, 0, 0)


def test_a_move_after_the_flag_loses_on_time() -> None:
    table = make_table(clock=CLOCK)
    play(table)
    play(table)
    events = do(table, commands.move(table, FIRST, 2, table.state.legal()[0].action, 61_000), 61_000)
    assert [event.event_type for event in events] == ["end"]
    assert table.result is not None
    assert (table.result.winner, table.result.ended_by) == ("second", "time")


def test_a_game_is_called_off_only_before_both_have_moved() -> None:
    table = make_table()
    play(table)
    do(table, commands.abort(table, SECOND, 0))
    assert table.result is not None
    assert (table.result.winner, table.result.ended_by) == (None, "aborted")
    table = make_table()
    play(table)
    play(table)
    with refused("too-late"):
        commands.abort(table, FIRST, 0)
    second = make_table(match=MatchSlot("m", 2, "one", (3, 4)))
    with refused("too-late"):
        commands.abort(second, FIRST, 0)


def test_nothing_can_be_aborted_or_made_harder_after_the_end() -> None:
    table = make_table(computer=True)
    do(table, commands.resign(table, FIRST, 0))
    with refused("over"):
        commands.abort(table, FIRST, 0)
    with refused("over"):
        commands.set_level(table, 8)


def test_a_tournament_game_is_neither_called_off_nor_played_again() -> None:
    table = make_table(opponent="tournament")
    with refused("tournament"):
        commands.abort(table, FIRST, 0)
    do(table, commands.resign(table, FIRST, 0))
    with refused("tournament"):
        commands.rematch(table, SECOND)
    decided = make_table(opponent="tournament")
    do(decided, commands.cancel(decided, 0))
    assert decided.result is not None
    assert decided.result.ended_by == "aborted"


def test_the_level_is_the_computers_alone() -> None:
    table = make_table(computer=True)
    do(table, commands.set_level(table, 8))
    player = table.seats[SECOND]
    assert player is not None
    assert player.level == 8
    with refused("not-your-table"):
        commands.set_level(make_table(), 8)


def test_a_taken_seat_stays_taken() -> None:
    with refused("taken"):
        commands.join(make_table(), FIRST, SeatedPlayer("eve", None), 0)


def test_ids_never_leave_in_an_event() -> None:
    table = Table.new("t", make_table().settings, 0)
    event = do(table, commands.join(table, FIRST, SeatedPlayer("secret-id", "Ada"), 0))[0]
    held = do(table, commands.add_device(table, FIRST, "other-secret-id"))[0]
    assert "secret-id" not in str(event.frame())
    assert "secret-id" not in str(held.frame())
    assert table.find_seat({"other-secret-id"}) is FIRST
