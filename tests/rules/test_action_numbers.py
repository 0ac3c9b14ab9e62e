"""Action numbers are a promise to trained networks and stored games: the whole numbering is fingerprinted."""

from __future__ import annotations

import hashlib

import pytest

from taiji.rules import GameError, parse_game
from tests.rules.helpers import text_of

FINGERPRINTS = {
    "taiji": (288, "63e8afd9db2e851e"),
    "taiji:size=2": (8, "7a6165008fa339c4"),
    "taiji:size=7": (168, "905308ff0e9f26ce"),
    "taiji:size=11": (440, "1fbef5c708bee26a"),
    "taiji:size=5,diagonal=yes": (144, "6514091a43df8bc8"),
    "tailits": (9696, "66875b79dc9cbdd9"),
    "tailits:set=free": (9696, "66875b79dc9cbdd9"),
    "battle-of-lits": (1293, "4bde0642c32c709e"),
    "battle-of-lits:size=6,swap=no": (356, "40257c3508c8f97c"),
    "tailits+taiji": (10136, "fb0764f794a8d77c"),
    "taiji+battle-of-lits": (2057, "5d06baa8515fcbdb"),
    "taiji+battle-of-lits:size=4": (153, "6aaf23f8bdc5cf28"),
}


@pytest.mark.parametrize("text", FINGERPRINTS)
def test_the_numbering_has_not_changed(text: str) -> None:
    game = parse_game(text)
    lines = []
    for number in range(game.action_count):
        move = game.move(number)
        assert move.action == number
        stage = getattr(move, "stage_index", len(game.stages) - 1)
        lines.append(f"{number} {stage} {text_of(game.stages[stage].board, move)}")
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
    assert (game.action_count, digest) == FINGERPRINTS[text]


def test_how_a_board_scores_does_not_change_its_numbers() -> None:
    plain = parse_game("taiji:size=7").placements
    assert parse_game("taiji:size=7,score=omega").placements == plain
    assert parse_game("taiji:size=7,groups=3").placements == plain


@pytest.mark.parametrize("number", [-1, 9, 10_000])
def test_a_number_that_is_no_action_says_which_there_are(number: int) -> None:
    with pytest.raises(GameError, match=f"{number} is not an action of taiji:size=2 \\(expected 0 to 7"):
        parse_game("taiji:size=2").move(number)
