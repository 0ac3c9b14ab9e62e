"""Spoken words: moves, scores, boards."""

from __future__ import annotations

import pytest

from taiji.notation import parse_move
from taiji.rules import parse_game
from taiji.terminal import speech as words
from tests.notation.games import TEXTS, random_game


def after(text: str, *moves: str):
    state = parse_game(text).start()
    for move in moves:
        state = state.play(parse_move(state, move))
    return state


def test_a_domino_is_said() -> None:
    state = after("taiji:size=4")
    said = words.say_move(state, parse_move(state, "a1/b1"))
    assert said == "Light places a taijitu: light on a1, dark on b1."


def test_a_tetromino_is_said() -> None:
    state = after("tailits")
    said = words.say_move(state, parse_move(state, "e6f6/f7g6"))
    assert said == "Black places a T: white on e6 and f6, black on f7 and g6."
    state = after("battle-of-lits")
    assert words.say_move(state, parse_move(state, "a1a2a3a4")) == "X places an I on a1, a2, a3 and a4."


def test_a_swap_is_said() -> None:
    state = after("battle-of-lits", "a1a2a3a4")
    assert "swaps" in words.say_move(state, parse_move(state, "swap"))
    assert words.say_turn(state).endswith("A swap is allowed.")


def test_scores_and_boards_are_said() -> None:
    state = after("taiji:size=3", "a1/b1", "a2/b2")
    assert words.say_scores(state) == "Light has 2, from a group of 2. Dark has 2, from a group of 2."
    assert list(words.say_board(state)) == [
        "Row 3: empty.",
        "Row 2: a light, b dark.",
        "Row 1: a light, b dark.",
    ]
    assert words.say_supply(state) == "Left to place: 2 taijitu."


def test_symbols_and_heights_are_said() -> None:
    state = after("battle-of-lits:symbols=x..o|.xo.|.xo.|x..o", "b1b2b3b4")
    rows = list(words.say_board(state))
    assert rows[0] == "Row 4: a X, b I piece, d O."
    assert words.say_scores(state) == "X has 2, with 2 uncovered. O has 4, with 4 uncovered."


@pytest.mark.parametrize("text", TEXTS)
def test_everything_can_be_said_at_any_time(text: str) -> None:
    moves, states = random_game(text, seed=2)
    for state, move in zip(states, moves, strict=False):
        assert words.say_move(state, move).endswith(".")
    for state in states[:: max(1, len(states) // 5)]:
        assert len(list(words.say_board(state))) == state.board.height
        assert words.say_scores(state)
        assert words.say_turn(state)
    assert words.say_turn(states[-1]).startswith("The game is over")
