"""`taiji analyse`: positions, games and records, as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.run import refusal, taiji

POSITION = "tji1 taiji:size=3 a1/a2,b1/b2 light -"
KEYS = [
    "format", "position", "ply", "seat", "win_prob", "margin", "exact", "final", "playouts", "seconds",
    "player", "candidates", "reasons",
]  # fmt: skip


def analyses(*arguments: str) -> list[dict[str, Any]]:
    result = taiji("analyse", *arguments, "--player", "greedy", "--json")
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_a_position_in_one_argument_or_several() -> None:
    one, several = analyses(POSITION), analyses(*POSITION.split())
    assert [each["position"] for each in one] == [each["position"] for each in several] == [POSITION]


def test_the_keys_of_the_json_form() -> None:
    (analysis,) = analyses("taiji:size=3")
    assert list(analysis) == KEYS
    assert analysis["format"] == 2
    assert analysis["final"] is True


def test_a_finished_game_has_its_result() -> None:
    (analysis,) = analyses("tji1 taiji:size=2 a1/a2,b1/b2 over -")
    assert list(analysis) == [*KEYS, "result"]
    assert analysis["result"] == {"winner": "second", "first": 2, "second": 2}


@pytest.fixture
def record(tmp_path: Path) -> str:
    path = tmp_path / "game.tji"
    path.write_text('[Game "taiji:size=2"]\n\n1. a1/a2 b1/b2 0-1\n')
    return str(path)


def test_every_position_of_a_record(record: str) -> None:
    assert [analysis["ply"] for analysis in analyses(record)] == [0, 1, 2]
    assert [analysis["ply"] for analysis in analyses(record, "--ply", "1")] == [1]


def test_as_text(record: str) -> None:
    lines = taiji("analyse", record, "--player", "greedy").stdout.splitlines()
    assert len(lines) == 3
    assert lines[2] == "  2  dark won, 2–2"


def test_bad_input(record: str) -> None:
    assert "(the game has 2 plies)" in refusal("analyse", record, "--ply", "3")
    assert "unknown player 'nobody'" in refusal("analyse", "taiji", "--player", "nobody")
    assert "column" in refusal("analyse", "tji1 taiji:size=3 a1/a9 light -")
