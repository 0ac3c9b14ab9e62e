"""Tables at which two have sat down, and ways to play at them without a server."""

from __future__ import annotations

import random
from typing import Any

import pytest

from taiji.rules import MatchRule, Seat, parse_game
from taiji.server.contract.clocks import ClockChoice, SuddenDeath
from taiji.server.contract.errors import ApiError
from taiji.server.contract.tables import Opponent
from taiji.server.domain import commands
from taiji.server.domain.commands import CommandResult
from taiji.server.domain.table import (
    Event,
    MatchSlot,
    SeatedPlayer,
    Table,
    TableSettings,
)

FIRST, SECOND = Seat
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
