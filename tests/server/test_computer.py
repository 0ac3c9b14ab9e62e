"""The computer as an opponent: what it knows of the match, and what its engine is asked."""

from __future__ import annotations

from typing import Any

import pytest

from taiji.players import Info, Limit
from taiji.players.simple import StatelessPlayer
from taiji.rules import MatchContext, MatchRule, Move, Seat, State, parse_game
from taiji.server.domain.table import MatchSlot, Table, TableSettings
from taiji.server.jobs.computer import match_context
from taiji.server.jobs.engine_worker import Worker


def table(rule: MatchRule, match: MatchSlot | None) -> Table:
    game = str(parse_game("taiji:size=4"))
    return Table.new("t", TableSettings(game, None, rule, "computer", None, True, False, "ada"), 0, match)


def test_only_the_second_game_of_a_match_has_a_context() -> None:
    assert match_context(table(MatchRule.NESTORGAMES, None)) is None
    assert match_context(table(MatchRule.BLUE_PANTHER, MatchSlot("m", 1))) is None


@pytest.mark.parametrize(
    ("rule", "carried", "context"),
    [
        (MatchRule.NESTORGAMES, (7, 4), MatchContext(3, None)),
        (MatchRule.NESTORGAMES, (4, 7), MatchContext(-3, None)),
        (MatchRule.BLUE_PANTHER, (7, 4), MatchContext(3, Seat.SECOND)),
    ],
)
def test_points_are_carried_by_the_seats_of_this_table(
    rule: MatchRule, carried: tuple[float, float], context: MatchContext
) -> None:
    assert match_context(table(rule, MatchSlot("m", 2, "one", carried))) == context


class Spy(StatelessPlayer):
    """Plays the first legal move and keeps the match context that it was given."""

    name = "spy"
    match: MatchContext | None = None

    def choose(self, state: State, limit: Limit, **options: Any) -> tuple[Move, Info]:
        self.match = options["match"]
        return state.legal()[0], Info()


@pytest.mark.parametrize("match", [None, MatchContext(2.5, Seat.SECOND), MatchContext(-1, None)])
def test_the_engine_plays_for_the_match(match: MatchContext | None) -> None:
    worker, spy = Worker(), Spy()
    worker._players["spy"] = spy
    sent = None if match is None else [match.lead, match.tie_winner]
    request = {
        "do": "move",
        "game": "taiji:size=3",
        "moves": [],
        "player": "spy",
        "seconds": 1,
        "match": sent,
    }
    assert worker.answer(request)["candidates"][0]["share"] == 1.0
    assert spy.match == match
