"""TAILITS, sentence by sentence: placing and the supply. Its scores stand in `test_scores_tailits.py`."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from taiji.rules import Colour, Placement, Seat, parse_game
from tests.rules.helpers import drawn, legal_texts, move_of, play, refusal

FIRST_I = "f5f6/f7f8"
FIRST_L = "e6f6/g6g7"


def test_the_board_has_eleven_rows_of_eleven() -> None:
    board = parse_game("tailits").start().board
    assert (board.width, board.height) == (11, 11)


def test_black_starts() -> None:
    state = parse_game("tailits").start()
    assert (state.colour_to_move, state.seat_to_move) == (Colour.DARK, Seat.SECOND)
    state = play(state, FIRST_I)
    assert (state.colour_to_move, state.seat_to_move) == (Colour.LIGHT, Seat.FIRST)


def test_the_first_piece_must_cover_the_centre() -> None:
    start = parse_game("tailits").start()
    reason = refusal(start, "a1a2/a3a4")
    assert (reason.code, reason.cells) == ("first-covers", ("f6",))
    assert reason.text == "the first piece must cover the centre f6"
    assert all(move.cells & start.board.centre for move in start.legal() if isinstance(move, Placement))


def test_the_first_move_has_72_places_of_6_faces() -> None:
    moves = [move for move in parse_game("tailits").start().legal() if isinstance(move, Placement)]
    assert len(moves) == 432
    faces = Counter(move.footprint.index for move in moves)
    assert set(faces.values()) == {6}
    kinds = Counter(move.kind for move in moves)
    # L, I, T and S have 8, 2, 4 and 4 orientations, and each lies on the centre in four places.
    assert kinds == {"L": 6 * 4 * 8, "I": 6 * 4 * 2, "T": 6 * 4 * 4, "S": 6 * 4 * 4}


def test_a_piece_has_two_light_and_two_dark_squares() -> None:
    assert all((p.light.bit_count(), p.dark.bit_count()) == (2, 2) for p in parse_game("tailits").placements)
    assert drawn(play("tailits", FIRST_L))[4:6] == ["......d....", "....lld...."]


def test_later_pieces_need_not_cover_the_centre_but_must_share_an_edge() -> None:
    state = play("tailits", FIRST_I)
    assert play(state, "f9g9/e9f10").covered.bit_count() == 8
    reason = refusal(state, "a1a2/a3b3")
    assert (reason.code, reason.text) == ("no-touch", "touches no piece on the board")
    assert refusal(state, "g9h9/h10i9").code == "no-touch", "a corner is not an edge"


def test_no_two_of_the_same_shape_share_an_edge() -> None:
    reason = refusal(play("tailits", FIRST_I), "g5h5/i5j5")
    assert (reason.code, reason.kind, reason.cells) == ("same-kind", "I", ("f5",))
    assert reason.text == "touches another I at f5"


@pytest.mark.parametrize(
    ("move", "cell"),
    [("e7e8/e9f9", "e6"), ("e7e8/d9e9", "e6"), ("d6d7/d8e8", "e6"), ("h6h7/h8i8", "g6"), ("f3f4/f5g3", "f6")],
)
def test_the_same_shape_is_the_same_turned_or_flipped(move: str, cell: str) -> None:
    assert refusal(play("tailits", FIRST_L), move).text == f"touches another L at {cell}"


def test_the_same_shape_may_meet_at_a_corner() -> None:
    state = play("tailits", FIRST_I, "g9h9/f9g10", "c8d8/d7e8")
    assert drawn(state)[1:5] == ["......d....", ".....dll...", "..lldd.....", "...d.d....."]


@pytest.mark.parametrize(
    ("move", "block"),
    [
        ("g5g6/g7h5", "f5–g6"),
        ("g7g8/h8h9", "f7–g8"),
        ("g6h7/g7h8", "f6–g7"),
        ("e7e8/d8d9", "e7–f8"),
        ("d5e6/e4e5", "e5–f6"),
    ],
)
def test_no_block_of_two_by_two_is_ever_covered(move: str, block: str) -> None:
    reason = refusal(play("tailits", FIRST_I), move)
    assert (reason.code, reason.cells) == ("full-block", tuple(block.split("–")))
    assert reason.text == f"fills the 2×2 block {block}"


def test_a_covered_cell_is_refused_by_name() -> None:
    reason = refusal(play("tailits", FIRST_I), "e6f6/g6g7")
    assert (reason.code, reason.text) == ("occupied", "f6 is already covered")


def test_there_is_no_passing_and_no_swap() -> None:
    game = parse_game("tailits")
    assert game.swap is None
    assert all(isinstance(move, Placement) for move in play("tailits", FIRST_I).legal())


def test_six_holds_one_piece_of_each_colouring() -> None:
    counts: dict[str, list[int]] = {}
    for slot in parse_game("tailits").stages[0].stocks:
        counts.setdefault(slot.kind, []).append(slot.count)
    assert sorted(counts) == ["I", "L", "S", "T"]
    assert counts["L"] == [1] * 6
    assert all(sorted(counts[kind]) == [1, 1, 2, 2] for kind in "ITS")


def test_six_a_piece_once_laid_is_gone_in_every_orientation() -> None:
    state = play("tailits", FIRST_L, "d3d4/d5d6")
    reason = refusal(state, "a3b3/c2c3")
    assert (reason.code, reason.kind) == ("no-supply", "L")
    assert reason.text == "no L of that colouring is left"
    others = {"a3c2/b3c3", "a3c3/b3c2", "b3c2/a3c3", "b3c3/a3c2", "c2c3/a3b3"}
    assert {text for text in legal_texts(state) if cells_of(text) == cells_of("a3b3c2c3")} == others


def test_six_a_colouring_that_is_its_own_mirror_comes_twice() -> None:
    state = play("tailits", FIRST_I, "e9f9/f10g9", "h9i9/j9k9")
    reason = refusal(state, "c9d9/a9b9")
    assert reason.text == "no I of that colouring is left"
    here = {text for text in legal_texts(state) if cells_of(text) == cells_of("a9b9c9d9")}
    assert here == {"a9d9/b9c9", "b9c9/a9d9", "a9c9/b9d9", "b9d9/a9c9"}


def test_free_lets_any_colouring_be_taken_again() -> None:
    state = play("tailits:set=free", FIRST_L, "d3d4/d5d6")
    assert len([text for text in legal_texts(state) if cells_of(text) == cells_of("a3b3c2c3")]) == 6


def test_free_holds_six_pieces_a_shape() -> None:
    state = play("tailits:set=free", "e6f6/g6h6", "d6d7/b6c6", "d8f8/e8g8", "b7b8/b9b10")
    state = play(state, "c4c5/c2c3", "a3a5/a4a6", "g9g10/f10h10")
    assert state.is_legal(move_of(state, "i7i8/i9i10"))
    state = play(state, "i7i8/i9i10")
    assert refusal(state, "c11d11/e11f11").code == "no-supply"
    assert not [move for move in state.legal() if isinstance(move, Placement) and move.kind == "I"]


def cells_of(text: str) -> frozenset[str]:
    """The cells that a move covers, whatever their colours."""
    return frozenset(re.findall(r"[a-z]\d+", text))
