"""`taiji puzzle`: solve one, list the sets, make and check files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from taiji.analysis.puzzles import load_set
from tests.cli.run import refusal, taiji

POND = """name = "pond"
board = ["....", "....", "....", "...."]
[[pieces]]
kind = "domino"
shape = ["ld"]
count = 8
"""
PUZZLE = load_set("taiji-7")[0]


def test_make_writes_puzzles_that_check_proves(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    make = ("puzzle", "make", "--game", "taiji:size=5", "--plies", "4-5", "--playouts", "20")
    assert taiji(*make, "--count", "2", "-o", str(file)).exit_code == 0
    lines = file.read_text(encoding="utf-8").splitlines()
    assert taiji(*make, "--count", "2").stdout.splitlines() == lines
    assert taiji(*make, "--count", "3", "-o", str(file)).exit_code == 0
    assert file.read_text(encoding="utf-8").splitlines()[:2] == lines
    checked = json.loads(taiji("puzzle", "check", str(file), "--json").stdout)
    assert checked == {"file": str(file), "puzzles": 3, "proven": 3, "errors": []}
    keys = {"id", "game", "position", "solution", "goal", "rating"}
    assert all(keys <= set(json.loads(line)) for line in lines)


def test_puzzles_of_a_custom_game_in_worker_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("taiji.rules.catalogue._registered", {})
    game, file = tmp_path / "pond.toml", tmp_path / "pond.jsonl"
    game.write_text(POND)
    make = ("puzzle", "make", "--game", str(game), "--playouts", "5", "--workers", "2")
    assert taiji(*make, "--count", "1", "-o", str(file)).exit_code == 0
    monkeypatch.setattr("taiji.rules.catalogue._registered", {})
    assert "unknown game 'pond'" in taiji("puzzle", "check", str(file)).stderr
    proven = taiji("puzzle", "check", str(file), "--game-file", str(game), "--workers", "2")
    assert (proven.exit_code, proven.stdout) == (0, f"{file}: 1 of 1 puzzles proven\n"), proven.stderr


def test_a_set_is_guessed() -> None:
    assert "unknown set 'tailit' (did you mean tailits? expected" in refusal("puzzle", "--set", "tailit")


def test_check_names_the_line_of_a_false_puzzle_and_refuses_a_broken_file(tmp_path: Path) -> None:
    file = tmp_path / "foreign.jsonl"
    false = PUZZLE.to_json() | {"id": "false", "choices": PUZZLE.choices + 1}
    file.write_text(f"{PUZZLE.to_line()}\n{json.dumps(false)}\n", encoding="utf-8")
    result = taiji("puzzle", "check", str(file))
    assert result.exit_code == 1
    assert f"{file}:2: false: choices" in result.stderr
    assert "1 of 2 puzzles proven" in result.stdout
    file.write_text(f"{PUZZLE.to_line()}\nnonsense\n", encoding="utf-8")
    assert f"{file}:2: not a puzzle: 'nonsense'" in refusal("puzzle", "check", str(file))
    assert "No such file" in refusal("puzzle", "check", str(tmp_path / "none.jsonl"))


def test_check_refuses_a_file_without_a_puzzle(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n")
    assert (
        refusal("puzzle", "check", str(empty))
        == f"taiji: {empty}: no puzzle (expected one JSON object per line)"
    )


def test_puzzles_are_found_in_records(tmp_path: Path) -> None:
    records = tmp_path / "games.jsonl"
    state_moves = _game_of(PUZZLE.position, (*PUZZLE.solution, *PUZZLE.rest))
    records.write_text(json.dumps({"game": PUZZLE.game, "moves": state_moves}) + "\n", encoding="utf-8")
    plies = len(PUZZLE.solution) + len(PUZZLE.rest)
    arguments = ("--game", PUZZLE.game, "--count", "1", "--plies", str(plies), "--records", str(records))
    found = json.loads(taiji("puzzle", "make", *arguments).stdout)
    assert found["position"] == PUZZLE.position
    assert found["solution"] == list(PUZZLE.solution)


def _game_of(position: str, rest: tuple[str, ...]) -> list[str]:
    """Return a game that reaches the position: in TAIJI the order of the placements does not matter."""
    return [*position.split()[2].split(","), *rest]


def test_a_puzzle_is_solved_here_line_by_line() -> None:
    puzzle = max(load_set("taiji-7"), key=lambda puzzle: len(puzzle.solution))
    typed = "\n".join(("a9/a9", *puzzle.solution[::2])) + "\n"
    result = taiji("puzzle", "--id", puzzle.id, stdin=typed)
    assert result.exit_code == 0
    assert "to move and win" in result.stdout
    assert "a9/a9: " in result.stdout
    assert "right! The answer is" in result.stdout
    assert "right, solved!" in result.stdout
    given_up = taiji("puzzle", "--id", puzzle.id, stdin="hint\n" + "solution\n" * len(puzzle.solution))
    assert given_up.exit_code == 1
    assert f"The move is {puzzle.solution[0]}." in given_up.stdout
    assert taiji("puzzle", stdin="quit\n").exit_code == 1


def test_the_sets_are_listed_and_shown() -> None:
    assert f"taiji-7: {len(load_set('taiji-7'))} puzzles" in taiji("puzzle", "list").stdout
    shown = taiji("puzzle", "show", PUZZLE.id, "--solution").stdout
    assert f"solution: {' '.join(PUZZLE.solution)}" in shown
    assert json.loads(taiji("puzzle", "show", PUZZLE.id, "--json").stdout) == PUZZLE.to_json()
    assert "unknown puzzle 'x'" in refusal("puzzle", "show", "x")
    assert "unknown set 'chess'" in refusal("puzzle", "--set", "chess")
    assert "--plies 9-4" in refusal_of_plies("9-4")


def refusal_of_plies(plies: str) -> str:
    return taiji("puzzle", "make", "--game", "taiji", "--count", "1", "--plies", plies).stderr


@pytest.mark.parametrize("output", [True, False])
def test_a_game_without_puzzles_says_so(output: bool, tmp_path: Path) -> None:
    where = ("-o", str(tmp_path / "none.jsonl")) if output else ()
    made = taiji("puzzle", "make", "--game", "taiji:size=2", "--count", "1", "--playouts", "1", *where)
    assert (made.exit_code, made.stdout) == (0, "")
    assert made.stderr.endswith("taiji:size=2: no more puzzles found\n")
