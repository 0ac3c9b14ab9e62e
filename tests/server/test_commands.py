"""What players may do at a table, without any server."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from taiji.rules import MatchRule, Seat, parse_game
from taiji.server.contract.clocks import ClockChoice, SuddenDeath
from taiji.server.contract.errors import ApiError, ErrorReason
from taiji.server.contract.events import Moved
from taiji.server.contract.tables import GameResult, Offers, Opponent, Presence
from taiji.server.domain import commands
from taiji.server.domain.commands import CommandResult
from taiji.server.domain.matches import match_view, mirror, next_slot
from taiji.server.domain.table import (
    Event,
    MatchSlot,
    SeatedPlayer,
    Table,
    TableSettings,
    optional_seat_name,
    seat_scores,
)
from taiji.server.domain.views import table_view

FIRST, SECOND = Seat
ABSENT = Presence(first=False, second=False, watchers=0)
CLOCK = SuddenDeath(clock_type="sudden", main_s=60)


def make_table(
    game: str = "taiji:size=4",
    *,
    clock: ClockChoice | None = None,
    computer: bool = False,
    match: MatchSlot | None = None,
    takebacks: bool = True,
    rule: MatchRule = MatchRule.NESTORGAMES,
    opponent: Opponent = "link",
) -> Table:
    """A table at which two have sat down."""
    opponent = "computer" if computer else opponent
    settings = TableSettings(str(parse_game(game)), None, rule, opponent, clock, takebacks, False, "ada")
    table = Table.new("t", settings, 0, match)
    do(table, commands.join(table, FIRST, SeatedPlayer("ada", "Ada"), 0))
    other = SeatedPlayer("computer", None, "computer", 3) if computer else SeatedPlayer("bob", "Bob")
    do(table, commands.join(table, SECOND, other, 0))
    assert table.status == "playing"
    return table


def do(table: Table, decision: CommandResult, now: int = 0) -> list[Event]:
    return [table.apply_draft(draft, now) for draft in decision.drafts]


def play(table: Table, number: int | None = None, now: int = 0) -> list[Event]:
    assert table.turn is not None
    chosen = table.state.legal()[0].action if number is None else number
    events = do(table, commands.move(table, table.turn, len(table.moves), chosen, now), now)
    return events + do(table, commands.after_move(table, now), now)


def play_out(table: Table, seed: int = 1) -> None:
    dice = random.Random(seed)
    while table.status == "playing":
        play(table, dice.choice(table.state.legal()).action)


def refused(code: str) -> Any:
    return pytest.raises(ApiError, check=lambda error: error.code == code)


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


def test_the_second_game_of_a_match_can_be_resigned_before_any_move() -> None:
    table = make_table(match=MatchSlot("m", 2, "one", (3, 4)))
    do(table, commands.resign(table, SECOND, 0))
    assert table.match_result is not None
    assert (table.match_result.winner, table.match_result.ended_by) == ("first", "resign")


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


def test_a_match_goes_on_with_the_seats_exchanged() -> None:
    table = make_table(match=MatchSlot("m", 1))
    dice = random.Random(2)
    follow = None
    while table.status == "playing":
        assert table.turn is not None
        number = dice.choice(table.state.legal()).action
        do(table, commands.move(table, table.turn, len(table.moves), number, 0))
        ended = commands.after_move(table, 0)
        do(table, ended)
        follow = ended.next_table
    assert follow == "next-game"
    assert table.match_result is None
    place = next_slot(table)
    scores = table.state.scores()
    assert (place.game_no, place.other, place.carried_points) == (2, "t", (scores.second, scores.first))
    with refused("not-over"):
        commands.rematch(table, FIRST)


@pytest.mark.parametrize(
    ("carried", "rule", "winner", "by"),
    [
        ((100, 0), MatchRule.NESTORGAMES, "first", "total"),
        ((0, 100), MatchRule.NESTORGAMES, "second", "total"),
        (None, MatchRule.NESTORGAMES, None, "total"),
        # Equal totals go to who is Dark in the second game: its seat SECOND.
        (None, MatchRule.BLUE_PANTHER, "second", "rule"),
    ],
)
def test_totals_decide_a_match(
    carried: tuple[float, float] | None, rule: MatchRule, winner: str | None, by: str
) -> None:
    probe = make_table()
    play_out(probe)
    scores = probe.state.scores()
    brought = carried or (scores.second, scores.first)
    table = make_table(match=MatchSlot("m", 2, "one", brought), rule=rule)
    play_out(table)
    assert table.match_result is not None
    assert (table.match_result.winner, table.match_result.ended_by) == (winner, by)
    view = match_view(table, table.match_result)
    assert view is not None
    assert view.tables == ("one", "t")
    assert view.totals.first == scores.first + brought[0]


def test_a_resignation_loses_the_match() -> None:
    table = make_table(match=MatchSlot("m", 1))
    play(table)
    decision = commands.resign(table, FIRST, 0)
    do(table, decision)
    assert decision.next_table is None
    assert table.match_result is not None
    assert (table.match_result.winner, table.match_result.ended_by) == ("second", "resign")
    there = mirror(table.match_result)
    assert there is not None
    assert there.winner == "first"


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
