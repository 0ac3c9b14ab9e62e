"""Matches of two games: seats exchanged, totals, resignations."""

from __future__ import annotations

import random

import pytest

from taiji.rules import MatchRule
from taiji.server.domain import commands
from taiji.server.domain.matches import match_view, mirror, next_slot
from taiji.server.domain.table import (
    MatchSlot,
)
from tests.server.seated import FIRST, SECOND, do, make_table, play, play_out, refused


def test_the_second_game_of_a_match_can_be_resigned_before_any_move() -> None:
    table = make_table(match=MatchSlot("m", 2, "one", (3, 4)))
    do(table, commands.resign(table, SECOND, 0))
    assert table.match_result is not None
    assert (table.match_result.winner, table.match_result.ended_by) == ("first", "resign")


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


def test_a_match_that_is_over_can_be_played_again() -> None:
    second = make_table(match=MatchSlot("m", 2, "one", (3, 4)))
    play_out(second)
    assert [draft.data.event_type for draft in commands.rematch(second, FIRST).drafts] == ["rematch-offer"]
    first = make_table(match=MatchSlot("m", 1))
    do(first, commands.resign(first, SECOND, 0))
    assert [draft.data.event_type for draft in commands.rematch(first, FIRST).drafts] == ["rematch-offer"]


def test_the_second_game_has_no_successor() -> None:
    table = make_table("taiji:size=2", match=MatchSlot("m", 2, "one", (3, 4)))
    play(table)
    assert table.turn is not None
    do(table, commands.move(table, table.turn, 1, table.state.legal()[0].action, 0))
    ended = commands.after_move(table, 0)
    assert (len(ended.drafts), ended.next_table) == (1, None)


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
