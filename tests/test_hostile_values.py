"""Numbers of thousands of digits, deep nesting, tables inside themselves, huge fields: typed errors."""

from __future__ import annotations

import csv
from typing import Any

import pytest

from taiji.arena.tournaments import Format, TournamentError, TournamentSettings
from taiji.arena.tournaments.csv_io import events_from_csv
from taiji.arena.tournaments.spec import parse_spec
from taiji.rules import GameError, MatchRule, game_from_dict, game_from_toml, parse_game
from taiji.training.spec import SpecError, spec_from_toml

DIGITS = "9" * 5000
HOSTILE = {
    "decimal": f"rounds = {DIGITS}",
    "hexadecimal": "rounds = 0x" + "f" * 5000,
    "just over": f"rounds = {1 << 63}",
    "float": f"rounds = [{DIGITS}]",
    "nested": "rounds = " + "[" * 2000 + "]" * 2000,
    "tables": "\n".join(["[" + ".".join(["a"] * 200) + "]", "x = 1"]),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_toml_text_is_refused_by_every_reader(text: str) -> None:
    for read, error in (
        (game_from_toml, GameError),
        (spec_from_toml, SpecError),
        (parse_spec, TournamentError),
    ):
        with pytest.raises(error) as refused:
            read(text)
        assert "\n" not in str(refused.value)
        assert len(str(refused.value)) < 300


def test_a_table_inside_itself_is_refused() -> None:
    table: dict[str, Any] = {"name": "loop"}
    table["stages"] = [table, table]
    with pytest.raises(GameError, match=r"nested too deep \(expected at most 32 levels\)"):
        game_from_dict(table)
    rows: list[Any] = []
    rows += [rows, rows]
    with pytest.raises(GameError, match="nested too deep"):
        game_from_dict({"name": "loop", "board": rows})


def test_a_field_over_the_limit_of_the_csv_reader_is_refused() -> None:
    settings = TournamentSettings("club", Format.SWISS, "taiji", 2, MatchRule.NESTORGAMES)
    text = "round,first,second\n1," + "x" * (csv.field_size_limit() + 1) + ",Bo\n"
    with pytest.raises(TournamentError, match=r"not a CSV file of pairings: field larger than field limit"):
        events_from_csv(text, settings)
    with pytest.raises(TournamentError, match="field larger"):
        events_from_csv("x" * (csv.field_size_limit() + 1), settings)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("tajii", "did you mean taiji?"),
        ("Talits:score=second", "did you mean tailits?"),
        ("blue-pantherr", "did you mean blue-panther?"),
        ("taiji:sise=7", "did you mean size?"),
    ],
)
def test_a_misspelt_game_is_guessed(text: str, hint: str) -> None:
    with pytest.raises(GameError) as refused:
        parse_game(text)
    assert hint in str(refused.value)


def test_a_word_that_is_far_from_any_game_is_not_guessed() -> None:
    with pytest.raises(GameError) as refused:
        parse_game("backgammon")
    assert "did you mean" not in str(refused.value)
