"""Moves: one canonical form, many ways to write them, errors that say what and where."""

from __future__ import annotations

import random

import pytest

from taiji.notation import NotationError, parse_move
from taiji.rules import IllegalMove, Placement, parse_game
from taiji.rules.move_text import MAX_MOVE_CHARS
from tests.notation.games import TEXTS, game, random_game


@pytest.mark.parametrize("text", TEXTS)
def test_every_move_round_trips(text: str) -> None:
    moves, states = random_game(text, 1)
    for state, move in zip(states, moves, strict=False):
        assert parse_move(state, str(move)) == move
        assert str(move) == str(move)


@pytest.mark.parametrize("text", TEXTS)
def test_no_two_moves_of_a_stage_have_one_text(text: str) -> None:
    for layout in game(text).layouts:
        texts = {str(move) for move in layout.placements}
        assert len(texts) == len(layout.placements)


@pytest.mark.parametrize("text", TEXTS)
def test_any_order_case_and_blanks_will_do(text: str) -> None:
    chance = random.Random(2)
    state = game(text).start()
    for move in chance.sample(state.legal(), min(50, len(state.legal()))):
        assert isinstance(move, Placement)
        parts = []
        for mask in (move.light, move.dark) if move.light or move.dark else (move.cells,):
            names = state.board.names(mask)
            chance.shuffle(names)
            parts.append("".join(name.upper() if chance.random() < 0.5 else name for name in names))
        assert parse_move(state, f"  {'/'.join(parts)}\t") == move


@pytest.mark.parametrize(
    ("game_text", "written", "canonical"),
    [
        ("taiji", "e4/e5", "e4/e5"),
        ("taiji", "e5/e4", "e5/e4"),
        ("taiji", "e4,e5", "e4/e5"),
        ("taiji", "e5-e4", "e5/e4"),
        ("taiji", "e4e5", "e4/e5"),
        ("taiji", "e4 e5", "e4/e5"),
        ("taiji", " E5 / E4 ", "e5/e4"),
        ("taiji:size=11", "K10K11", "k10/k11"),
        ("tailits", "f5f6/g6f4", "f5f6/f4g6"),
        ("tailits", "f5,f6/g6,f4", "f5f6/f4g6"),
        ("battle-of-lits", "f5e6e5e4", "e4e5e6f5"),
        ("battle-of-lits", "e4-e5-e6-f5", "e4e5e6f5"),
        ("battle-of-lits", " Swap ", "swap"),
        ("test-holes", "b1b2", "b1/b2"),
        ("test-holes", "b1b2/", "b1b2/"),
        ("test-holes", "/B1", "/b1"),
        ("test-holes", "b1b3b2", "b1b2b3"),
    ],
)
def test_written_in_other_ways(game_text: str, written: str, canonical: str) -> None:
    state = game(game_text).start()
    assert str(parse_move(state, written)) == canonical


@pytest.mark.parametrize(
    ("game_text", "written", "message", "column", "code"),
    [
        ("taiji", "", "invalid move ''", None, None),
        ("taiji", "/", "invalid move '/'", None, None),
        ("taiji", "e4/x", "invalid cell 'x'", 4, None),
        ("taiji", "4e/5e", "invalid cell '4e'", 1, None),
        ("taiji", "e4/e5/e6", "invalid cell '/e6'", 6, None),
        ("taiji", "e4/e4", "duplicate cell e4", 4, None),
        ("taiji", "e4 e4", "duplicate cell e4", 4, None),
        ("taiji", "e4/e5e4", "duplicate cell e4", 6, None),
        ("taiji", "e4/j4", "j4 is not on the board", 4, "off-board"),
        ("taiji", "e0/e1", "e0 is not on the board", 1, "off-board"),
        ("taiji", "e04/e5", "e04 is not on the board", 1, "off-board"),
        ("taiji", "e99999999/e1", "e999999… is not on the board", 1, "off-board"),
        ("taiji", "e4/e6", "no piece of this game covers just these cells", None, "not-a-piece"),
        ("taiji", "e4", "no piece of this game covers just these cells", None, "not-a-piece"),
        ("taiji", "e4e5e6", "no piece of this game covers just these cells", None, "not-a-piece"),
        ("taiji", "swap", "taiji has no swap", None, "no-swap"),
        ("taiji", "é4/e5", "invalid cell 'é4'", 1, None),
        ("tailits", "f4f5f6f7", "colours missing", None, "not-a-piece"),
        ("tailits", "f4/f5f6f7", "no piece of this game covers just these cells", None, "not-a-piece"),
        ("battle-of-lits", "e4e5/e6f5", "this piece has no colours (expected e4e5e6f5)", None, "not-a-piece"),
        ("test-holes", "a1/a2", "a1 is not on the board", 1, "off-board"),
        ("test-holes", "b3/c3", "c3 is not on the board", 4, "off-board"),
    ],
)
def test_garbled(game_text: str, written: str, message: str, column: int | None, code: str | None) -> None:
    with pytest.raises(NotationError) as caught:
        parse_move(game(game_text).start(), written)
    assert message in str(caught.value)
    assert caught.value.column == column
    assert (caught.value.reason.code if caught.value.reason else None) == code


def test_a_covered_cell_is_named_where_no_piece_fits() -> None:
    state = game("taiji").start()
    state = state.play(parse_move(state, "e4/e5"))
    with pytest.raises(NotationError, match="e5 is already covered") as caught:
        parse_move(state, "e5/e7")
    assert caught.value.reason is not None
    assert caught.value.reason.code == "occupied"


def test_a_piece_that_is_merely_illegal_is_read_and_refused_by_play() -> None:
    state = game("taiji").start()
    state = state.play(parse_move(state, "e4/e5"))
    move = parse_move(state, "e5/e6")
    with pytest.raises(IllegalMove, match="e5 is already covered"):
        state.play(move)


@pytest.mark.parametrize(("game_text", "written"), [("tailits+taiji", "a1/a2"), ("tailits+taiji", "a1a2")])
def test_a_piece_of_another_stage_is_read_and_refused_by_play(game_text: str, written: str) -> None:
    state = game(game_text).start()
    with pytest.raises(IllegalMove, match="belongs to another stage"):
        state.play(parse_move(state, written))


def test_a_long_text_is_refused_unread() -> None:
    with pytest.raises(NotationError, match=r"\(maximum 600\)"):
        parse_move(parse_game("taiji").start(), "a1" * MAX_MOVE_CHARS)


def test_an_unknown_cell_has_its_column() -> None:
    state = parse_game("taiji").start()
    for text, column in (("z9/e5", 1), ("e4/z9", 4), ("e4 , z9", 6)):
        with pytest.raises(NotationError) as caught:
            parse_move(state, text)
        assert caught.value.column == column
