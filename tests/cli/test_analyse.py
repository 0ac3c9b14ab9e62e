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
    result = taiji("analyse", "--player", "greedy", *arguments, "--json")
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


def test_a_position_of_a_record_on_stdin(record: str) -> None:
    text = Path(record).read_text()
    arguments = ("analyse", "-", "--player", "greedy", "--ply")
    assert json.loads(taiji(*arguments, "1", "--json", stdin=text).stdout)["ply"] == 1
    assert refusal(*arguments, "3", stdin=text) == "taiji: --ply 3: too large (the game has 2 plies)"


def test_as_text(record: str) -> None:
    lines = taiji("analyse", record, "--player", "greedy").stdout.splitlines()
    assert lines[0] == "taiji:size=2: ? v ?, 2 plies; Light 2, Dark 2; Dark wins"
    assert lines[1] == "Analysed by greedy, 1 s per position."
    assert lines[3].split() == ["ply", "moves", "Light", "wins", "margin", "played", "best", "line"]
    assert [line.split()[:2] for line in lines[4:6]] == [["1", "Light"], ["2", "Dark"]]
    assert ["a1/a2" in lines[4], "b1/b2" in lines[5]] == [True, True]
    assert lines[6] == " end  Light 2, Dark 2; Dark wins"


def test_the_text_shows_the_values_of_one_side() -> None:
    position = "tji1 taiji:size=3 a1/a2 dark -"
    arguments = ("analyse", position, "--player", "solver")
    (analysis,) = analyses(position, "--player", "solver")
    light, dark = (taiji(*arguments, "--side", side).stdout.splitlines()[-1] for side in ("light", "dark"))
    mine, theirs = f"{analysis['win_prob']:.1%}", f"{1 - analysis['win_prob']:.1%}"
    assert mine != theirs
    assert [dark.split()[2], light.split()[2]] == [mine, theirs]


def test_bad_input(record: str) -> None:
    assert "(the game has 2 plies)" in refusal("analyse", record, "--ply", "3")
    assert "unknown player 'nobody'" in refusal("analyse", "taiji", "--player", "nobody")
    assert "column" in refusal("analyse", "tji1 taiji:size=3 a1/a9 light -")
