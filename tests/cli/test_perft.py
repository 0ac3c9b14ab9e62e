"""`taiji perft` counts as the rules do."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from taiji.cli.perft import count
from taiji.rules import game_from_toml, parse_game, perft
from tests.cli.run import refusal, taiji
from tests.notation.games import HOLES

if TYPE_CHECKING:
    from pathlib import Path

CASES = [
    ("taiji:size=3", 4),
    ("taiji:size=3", 5),
    ("taiji:size=4,diagonal=yes", 2),
    ("tailits", 1),
    ("battle-of-lits:symbols=x..o|.xo.|.xo.|x..o", 3),
    ("taiji+battle-of-lits:size=2", 4),
    ("taiji", 2),
]


@pytest.mark.parametrize(("game", "depth"), CASES)
def test_the_core_and_the_rules_agree(game: str, depth: int) -> None:
    assert count(parse_game(game), depth) == perft(parse_game(game).start(), depth)


def test_without_the_core_the_rules_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "taiji.kernel", None)
    assert taiji("perft", "taiji:size=3", "3").stdout == f"{perft(parse_game('taiji:size=3').start(), 3):,}\n"


@pytest.mark.parametrize(
    ("game", "nodes"),
    [("taiji:size=7", 168), ("taiji", 288), ("deluxe", 440), ("tailits", 432), ("battle-of-lits", 1292)],
)
def test_known_first_moves(game: str, nodes: int) -> None:
    value = json.loads(taiji("perft", game, "1", "--json").stdout)
    assert value == {"game": str(parse_game(game)), "depth": 1, "nodes": nodes}


def test_depth_nought_is_one_and_beyond_the_end_is_none() -> None:
    assert taiji("perft", "taiji:size=2", "0").stdout == "1\n"
    assert taiji("perft", "taiji:size=2", "2").stdout == "16\n"
    assert taiji("perft", "taiji:size=2", "3").stdout == "0\n"


def test_a_game_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(HOLES)
    expected = perft(game_from_toml(HOLES).start(), 2)
    value = json.loads(taiji("perft", str(path), "2", "--json").stdout)
    assert value == {"game": "test-holes", "depth": 2, "nodes": expected}


def test_bad_input(tmp_path: Path) -> None:
    assert "expected an integer from 0 to 20" in refusal("perft", "taiji", "99")
    assert "DEPTH 'x': invalid (expected an integer" in refusal("perft", "taiji", "x")
    assert "unknown game 'chess' (expected one of taiji," in refusal("perft", "chess", "1")
    assert "taiji has no option 'colour' (expected size," in refusal("perft", "taiji:colour=red", "1")
    assert "score=omega and groups=2 contradict each other" in refusal(
        "perft", "taiji:size=5,groups=2,score=omega", "1"
    )
    assert "No such file or directory" in refusal("perft", str(tmp_path / "none.toml"), "1")
    bad = tmp_path / "bad.toml"
    bad.write_text("name = ")
    assert "bad.toml: not TOML" in refusal("perft", str(bad), "1")
    bad.write_bytes(b"\xff")
    assert refusal("perft", str(bad), "1").startswith(f"taiji: {bad}: not UTF-8")
    bad.write_text("#" * 200_000)
    assert "at most 100,000 bytes" in refusal("perft", str(bad), "1")
    bad.write_text(HOLES.replace("test-holes", "taiji"))
    assert "the name taiji is taken" in refusal("perft", str(bad), "1")


@pytest.mark.parametrize("words", [[], ["taiji"], ["3"], ["--game", "taiji"]])
def test_without_a_depth_it_says_what_it_needs(words: list[str]) -> None:
    assert "(expected GAME DEPTH;" in refusal("perft", *words)
