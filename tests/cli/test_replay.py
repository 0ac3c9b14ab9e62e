"""`taiji replay` checks records, tells what is wrong with one and goes on with the next."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from taiji.notation import Record, Termination, format_record
from taiji.rules import Seat
from tests.cli.run import refusal, taiji
from tests.notation.games import HOLES, TEXTS, game, random_game

if TYPE_CHECKING:
    from pathlib import Path

SMALL = '[Game "taiji:size=2"]\n[Light "Ann"]\n[Dark "Bob"]\n\n'


@pytest.mark.parametrize("text", [text for text in TEXTS if text != "test-holes"])
def test_a_finished_game(text: str) -> None:
    moves, states = random_game(text, 1)
    record = Record.of(game(text), moves, {"Light": "Ann", "Dark": "Bob"})
    result = taiji("replay", "--json", stdin=format_record(record))
    assert result.exit_code == 0
    outcome = states[-1].outcome()
    assert outcome is not None
    assert json.loads(result.stdout) == {
        "number": 1,
        "game": str(game(text)),
        "light": "Ann",
        "dark": "Bob",
        "plies": len(moves),
        "over": True,
        "scores": {"light": outcome.scores.first, "dark": outcome.scores.second},
        "winner": None if outcome.winner is None else ("light", "dark")[outcome.winner],
        "result": record.result.value,
        "termination": None,
        "problems": [],
    }


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (SMALL + "1. a1/a2 b1/b2 0-1", "1. taiji:size=2: Ann v Bob, 2 plies, over, Dark wins 2-2"),
        (SMALL + "1. a1/a2 *", "1. taiji:size=2: Ann v Bob, 1 ply, not over, 1-1 so far"),
        ('[Game "tailits"]\n*', "1. tailits: ? v ?, 0 plies, not over, 0-0 so far"),
        (
            '[Termination "resigned"]\n' + SMALL + "1. a1/a2 1-0",
            "1. taiji:size=2: Ann v Bob, 1 ply, not over, Light wins, resigned, 1-1 so far",
        ),
    ],
)
def test_in_words(text: str, line: str) -> None:
    result = taiji("replay", "-", stdin=text)
    assert result.exit_code == 0
    assert result.stdout == line + "\n"
    assert result.stderr == ""


def test_an_unfinished_record_says_so() -> None:
    value = json.loads(taiji("replay", "--json", stdin=SMALL + "1. a1/a2 *").stdout)
    assert value["over"] is False
    assert value["winner"] is None


def test_who_won_before_the_end() -> None:
    record = Record.of(game("taiji:size=4"), termination=Termination.TIME, winner=Seat.SECOND)
    value = json.loads(taiji("replay", "--json", stdin=format_record(record)).stdout)
    assert (value["over"], value["winner"], value["termination"]) == (False, "dark", "time")


def test_broken_games_are_told_and_passed_over() -> None:
    text = "\n\n".join(
        [
            SMALL + "1. a1/a2 b1/b2 0-1",
            SMALL + "1. a1/a2 a1/b1 *",
            SMALL + "1. a1/a2 {never closed",
            SMALL + "1. a1/a2 b1/b2 1-0",
            SMALL + "1. a1/a2 b1/b2 0-1",
        ]
    )
    result = taiji("replay", stdin=text)
    assert result.exit_code == 2
    assert [line[:2] for line in result.stdout.splitlines()] == ["1.", "4.", "5."]
    assert result.stderr.splitlines() == [
        "taiji replay: stdin: game 2: line 11, column 10, ply 2: a1/b1: a1 is already covered",
        "taiji replay: stdin: game 3: line 17, column 10: unclosed comment",
        "taiji replay: stdin: game 4: the record says 1-0, by the rules it is 0-1",
    ]
    values = [json.loads(line) for line in taiji("replay", "--json", stdin=text).stdout.splitlines()]
    assert [value["number"] for value in values] == [1, 2, 3, 4, 5]
    assert values[1] == {
        "number": 2,
        "error": "a1/b1: a1 is already covered",
        "line": 11,
        "column": 10,
        "ply": 2,
    }
    assert values[2]["ply"] == 0
    assert values[3]["problems"] == ["the record says 1-0, by the rules it is 0-1"]


def test_variations_are_checked_too() -> None:
    result = taiji("replay", stdin=SMALL + "1. a1/a2 (1. b1/b2 1... b2/a2) *")
    assert result.exit_code == 2
    assert "column 25, ply 2: b2/a2: b2 is already covered" in result.stderr


def test_a_game_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(HOLES)
    moves, _ = random_game("test-holes", 2)
    text = format_record(Record.of(game("test-holes"), moves))
    result = taiji("replay", "--game-file", str(path), stdin=text)
    assert result.exit_code == 0
    assert ", over, " in result.stdout


def test_bad_input(tmp_path: Path) -> None:
    assert refusal("replay", stdin="") == "taiji: stdin: no games found"
    assert "No such file or directory" in refusal("replay", str(tmp_path / "none.tji"))
    assert "--json and --jsonl: use only one of them" in refusal("replay", "--json", "--jsonl", stdin="")
    assert "No such file or directory" in refusal("replay", "--game-file", str(tmp_path / "x.toml"), stdin="")
    assert "is a directory" in refusal("replay", "--game-file", str(tmp_path), stdin="")
