"""`taiji explore`: build a book from records and look openings up in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from taiji.cli.explore import _win_prob
from taiji.kernel import get_kernel
from taiji.rules import parse_game
from tests.cli.run import refusal, taiji

GAME = "taiji:size=4"


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("books")
    game = parse_game(GAME)
    lines = []
    for seed in range(30):
        moves = [str(game.move(action)) for action in get_kernel(game).start().random_game(seed)]
        lines.append(json.dumps({"game": GAME, "moves": moves}))
    records = folder / "games.jsonl"
    records.write_text("\n".join(lines) + "\n", encoding="utf-8")
    built = taiji("explore", "build", str(records), "-o", str(folder), "--min-games", "1")
    assert f"{GAME}: 30 games" in built.stdout
    return folder


def test_a_position_lists_its_moves_most_played_first(books: Path) -> None:
    book = str(books / "taiji-4.book")
    known = json.loads(taiji("explore", GAME, "--book", book, "--json").stdout)
    assert known["games"] == known["book_games"] == 30
    counts = [move["games"] for move in known["moves"]]
    assert counts == sorted(counts, reverse=True)
    assert sum(counts) == 30
    first = known["moves"][0]
    text = taiji("explore", GAME, "--book", book).stdout
    assert taiji("explore", "--game", GAME, "--book", book).stdout == text
    assert f"{first['move']:<14} {first['games']:>8}" in text
    after = taiji("explore", GAME, "--moves", first["move"], "--book", book, "--json").stdout
    assert json.loads(after)["games"] == first["games"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "< 1%"),
        (0.009, "< 1%"),
        (0.01, "1%"),
        (0.5, "50%"),
        (0.99, "99%"),
        (0.991, "> 99%"),
        (1.0, "> 99%"),
    ],
)
def test_an_estimate_is_never_shown_as_certain(value: float, text: str) -> None:
    assert _win_prob(value) == text


def test_bad_input_is_one_line(books: Path) -> None:
    book = str(books / "taiji-4.book")
    assert "move 2 ('a1/a2')" in refusal("explore", GAME, "--moves", "a1/a2 a1/a2", "--book", book)
    assert "book of taiji:size=4, not of taiji:size=5" in refusal("explore", "taiji:size=5", "--book", book)
    assert "nothing to do" in refusal("explore", "position", "--book", book)
    assert "no book of taiji:size=3,groups=2" in refusal("explore", "taiji:size=3,groups=2")
    assert "is not the header of a book" in refusal("explore", GAME, "--book", str(books / "games.jsonl"))
