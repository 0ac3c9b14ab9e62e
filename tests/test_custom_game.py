"""The custom game that the docs declare works everywhere a game does."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from taiji.cli._games import load_game
from taiji.kernel import Kernel
from taiji.notation import (
    Record,
    format_position,
    format_record,
    parse_position,
    parse_record,
    record_from_json,
    record_to_json,
)
from taiji.render.text import draw
from taiji.rules import Game, parse_game, perft

RULES = Path(__file__).parent.parent / "docs" / "rules"
DECLARATION = RULES / "examples" / "lagoon.toml"


@pytest.fixture
def lagoon() -> Game:
    return load_game(str(DECLARATION))


def test_the_page_shows_the_declaration() -> None:
    assert f"```toml\n{DECLARATION.read_text()}```" in (RULES / "your-own-game.md").read_text()


def test_the_notation_page_shows_a_true_record() -> None:
    text = (RULES / "examples" / "annotated.tji").read_text()
    assert f"```\n{text}```" in (RULES.parent / "notation.md").read_text()
    assert format_record(parse_record(text)) == text
    assert parse_record(text).replay().problems == ()


def test_it_has_holes_and_is_known_by_name(lagoon: Game) -> None:
    assert lagoon.stages[0].board.holes.bit_count() == 21
    assert parse_game("lagoon") == lagoon
    assert load_game(str(DECLARATION)) == lagoon, "loading it twice is no harm"


@pytest.mark.parametrize("seed", range(10))
def test_it_is_played_recorded_and_drawn(lagoon: Game, seed: int) -> None:
    dice = random.Random(seed)
    state, moves = lagoon.start(), []
    core = Kernel(lagoon).start()
    while not state.is_over:
        assert [move.action for move in state.legal()] == core.legal()
        assert parse_position(format_position(state)) == state
        assert draw(state)
        moves.append(dice.choice(state.legal()))
        core.play(moves[-1].action)
        state = state.play(moves[-1])
    outcome = state.outcome()
    assert outcome is not None
    assert core.is_over
    assert core.scores() == outcome.scores
    assert core.winner() is outcome.winner
    record = Record.of(lagoon, moves)
    assert parse_record(format_record(record)) == record
    assert record_from_json(record_to_json(record)) == record
    assert record.replay().last == state


def test_it_counts_alike_in_the_core_and_in_the_rules(lagoon: Game) -> None:
    assert Kernel(lagoon).start().perft(2) == perft(lagoon.start(), 2)
