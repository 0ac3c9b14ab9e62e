"""`taiji review`: as text, as JSON and as a page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import taiji as library
from tests.cli.run import refusal, taiji

QUICK = ("--player", "mcts", "--playouts", "200", "--seed", "1")
MARKS = {None, "inaccuracy", "mistake", "blunder"}
MOVES = ["a2/a3", "c3/c2", "a1/b1", "b3/b2"]


@pytest.fixture
def record(tmp_path: Path) -> str:
    path = tmp_path / "game.tji"
    game = library.parse_game("taiji:size=3")
    tags = {"Light": "Ann <3", "Dark": "Bob"}
    library.write(path, library.Record.of(game, MOVES, tags))
    return str(path)


def test_the_json_form(record: str) -> None:
    review = json.loads(taiji("review", record, *QUICK, "--json").stdout)
    assert list(review) == ["game", "player", "players", "turning_points", "moves"]
    assert (review["game"], review["player"]) == ("taiji:size=3", "mcts")
    assert list(review["players"]) == ["light", "dark"]
    assert [move["move"] for move in review["moves"]] == MOVES
    assert [(move["ply"], move["side"]) for move in review["moves"]] == [
        (1, "light"), (2, "dark"), (3, "light"), (4, "dark"),
    ]  # fmt: skip
    for move in review["moves"]:
        assert list(move) == [
            "ply", "side", "move", "best", "loss", "margin_loss", "mark", "reasons", "against",
        ]  # fmt: skip
        assert move["mark"] in MARKS
        assert 0 <= move["loss"] <= 1
    for side, name in (("light", "mistake"), ("dark", "mistake")):
        own = [move["mark"] for move in review["moves"] if move["side"] == side]
        player = review["players"][side]
        assert (player["moves"], player["mistakes"], player["blunders"]) == (
            2, own.count(name), own.count("blunder"),
        )  # fmt: skip
        assert 0 <= player["accuracy"] <= 100


def test_the_text(record: str) -> None:
    lines = taiji("review", record, *QUICK).stdout.splitlines()
    assert lines[0] == "taiji:size=3: Ann <3 v Bob, 4 plies; Light 2, Dark 3; Dark wins"
    assert lines[1].startswith("Reviewed by mcts, 200 playouts per position")
    assert [line.split()[2] for line in lines[4:8]] == MOVES
    assert [line.split(":")[0] for line in lines[9:11]] == ["Light", "Dark"]
    assert "accuracy" in lines[9]


def test_marked_moves_are_explained(tmp_path: Path) -> None:
    """Words about groups and scores, in the text and in the JSON form; never a number of trial games."""
    path = tmp_path / "game.tji"
    path.write_text('[Game "taiji:size=4"]\n\nc1/d1 b4/c4 d3/c3 a1/a2 b2/b3 c2/d2 a4/a3\n')
    marked = [
        move
        for move in json.loads(taiji("review", str(path), *QUICK, "--json").stdout)["moves"]
        if move["mark"]
    ]
    assert any(move["reasons"] for move in marked)
    assert any(move["against"] for move in marked)
    text = taiji("review", str(path), *QUICK).stdout
    for move in marked:
        for of, reasons in ((move["move"], move["against"]), (move["best"], move["reasons"])):
            assert not reasons or f"{of} {'; '.join(reasons)}." in text
    explained = text.split("accuracy")[-1]
    assert "playout" not in explained
    assert "trial" not in explained


def test_the_page_is_self_contained(record: str, tmp_path: Path) -> None:
    page = tmp_path / "review.html"
    result = taiji("review", record, *QUICK, "--html", "-o", str(page))
    assert (result.stdout, result.stderr) == ("", f"{page}: {page.stat().st_size:,} bytes written\n")
    text = page.read_text()
    assert "Ann &lt;3" in text
    assert all(f"<td>{move}</td>" in text for move in MOVES)
    addresses = re.findall(r"(?:src|srcset|href)=\"([^\"]{0,20})", text)
    assert all(address.startswith("data:image/svg+xml") for address in addresses)
    marks = sum(
        bool(move["mark"]) for move in json.loads(taiji("review", record, *QUICK, "--json").stdout)["moves"]
    )
    assert text.count("<figure>") == marks > 0
    assert text.count("prefers-color-scheme: dark") == marks + 1


def test_a_file_of_another_format_and_a_later_game(record: str, tmp_path: Path) -> None:
    games = tmp_path / "games.jsonl"
    library.write(games, [*library.read(record)] * 2)
    arguments = ("review", str(games), "--player", "greedy", "--json")
    assert json.loads(taiji(*arguments, "--game-number", "2").stdout)["game"] == "taiji:size=3"
    assert "no game 3 (the file holds 2)" in refusal(*arguments, "--game-number", "3")


def test_a_game_from_stdin_that_is_not_over() -> None:
    result = taiji("review", "-", "--player", "greedy", stdin='[Game "taiji:size=5"]\n\n1. a1/a2 *\n')
    assert "1 ply; Light 1, Dark 1; Dark to move" in result.stdout
    assert "Light: accuracy unknown" in result.stdout


def test_threads_and_bad_input(record: str) -> None:
    assert taiji("review", record, *QUICK, "--threads", "1", "--json").exit_code == 0
    assert "greedy: takes no options" in refusal("review", record, "--player", "greedy", "--threads", "2")
    assert "--json and --html exclude each other" in refusal("review", record, "--json", "--html")
    assert "No such file" in refusal("review", "missing.tji")
    assert "stdin: line 3" in refusal("review", "-", stdin='[Game "taiji"]\n\n1. a1/a2 a2/a3 *\n')
    assert "--seconds" in refusal("review", record, "--seconds", "0")
