"""TAIJI+Battle of LITS, sentence by sentence: what is banked, what is covered, who swaps, who wins a tie."""

from __future__ import annotations

import pytest

from taiji.rules import Colour, Outcome, Scores, Seat, parse_game
from tests.rules.helpers import drawn, legal_texts, play, refusal, totals

DOUBLE = "taiji+battle-of-lits"
SMALL = f"{DOUBLE}:size=4"
# Light leads TAIJI by 5 (b3, b2, c2, d2, c1) to 2 (a2, a3, or c3, d3).
LEAD = ("c4/b4", "c2/c3", "d2/d3", "c1/b1", "b2/a2", "b3/a3")
LEAD_BOARD = [".dl.", "dldd", "dlll", ".dl."]


def test_taiji_comes_first_and_white_starts() -> None:
    state = parse_game(DOUBLE).start()
    assert (state.stage_index, state.current_stage.name) == (0, "taiji")
    assert (state.seat_to_move, state.colour_to_move) == (Seat.FIRST, Colour.LIGHT)
    assert len(state.legal()) == 440
    assert refusal(state, "a1b1c1d1", stage=1).code == "wrong-stage"


@pytest.mark.parametrize(("size", "groups"), [(4, 1), (7, 1), (9, 2), (11, 3)])
def test_groups_are_counted_as_in_taiji(size: int, groups: int) -> None:
    assert parse_game(f"{DOUBLE}:size={size}") == parse_game(f"{DOUBLE}:size={size},groups={groups}")
    assert parse_game(f"{DOUBLE}:size={size}").stages[0] == parse_game(f"taiji:size={size}").stages[0]


def test_then_white_starts_battle_of_lits_on_top_with_six_a_shape() -> None:
    assert drawn(play("taiji:size=4", *LEAD)) == LEAD_BOARD
    for moves in (LEAD, ("a1/a2", "a3/a4", "b1/b2", "b3/b4", "c1/c2", "c3/c4", "d1/d2", "d3/d4")):
        state = play(SMALL, *moves)
        assert (state.stage_index, state.current_stage.name) == (1, "battle-of-lits")
        assert (state.seat_to_move, state.colour_to_move) == (Seat.FIRST, Colour.LIGHT)
        assert {slot.kind: slot.count for slot in state.current_stage.stocks} == dict.fromkeys("LITS", 6)


def test_white_starts_even_after_placing_last_in_taiji() -> None:
    state = play(f"{DOUBLE}:size=3", "b2/b1", "a2/a3", "c2/c3")
    assert state.last_seat is Seat.FIRST
    assert state.seat_to_move is Seat.FIRST


def test_tetrominoes_lie_anywhere_on_taijitus_and_on_bare_board() -> None:
    assert len(play(SMALL, *LEAD).legal()) == 104
    assert len(parse_game("battle-of-lits:size=4").start().legal()) == 104


def test_the_squares_of_the_taijitus_still_uncovered_are_the_symbols() -> None:
    state = play(SMALL, *LEAD)
    assert state.symbols.light.bit_count() == state.symbols.dark.bit_count() == 6
    assert state.stage_scores() == Scores(6, 6)
    assert totals(state) == (5 + 6, 2 + 6), "banked and not yet covered"
    state = play(state, "a2a3b3c3")
    assert state.stage_scores() == Scores(5, 3), "three dark squares and a light one are gone"
    assert totals(state) == (5 + 5, 2 + 3)


def test_the_rules_of_lits_hold_among_the_tetrominoes() -> None:
    state = play(SMALL, *LEAD, "a2a3b3c3")
    assert refusal(state, "c1d1d2d3").text == "touches another L at c3"
    assert refusal(state, "a1b1b2c1").text == "fills the 2×2 block a1–b2"
    assert refusal(state, "b3b4c4d4").text == "b3 is already covered"
    assert refusal(play(SMALL, *LEAD, "a1a2a3a4"), "c1c2c3d1").text == "touches no piece on the board"
    assert refusal(play(SMALL, *LEAD), "a1/b1", stage=0).code == "wrong-stage"


def test_black_may_swap_on_the_first_turn_of_the_second_stage_only() -> None:
    assert "swap" not in legal_texts(play(SMALL, LEAD[0]))
    assert refusal(play(SMALL, LEAD[0]), "swap").code == "no-swap"
    assert "swap" not in legal_texts(play(SMALL, *LEAD))
    assert "swap" in legal_texts(play(SMALL, *LEAD, "a2a3b3c3"))


def test_a_swap_leaves_the_scores_of_taiji_with_the_seats() -> None:
    before = play(SMALL, *LEAD, "a2a3b3c3")
    assert totals(before) == (5 + 5, 2 + 3)
    after = play(before, "swap")
    assert totals(after) == (5 + 3, 2 + 5)
    assert (after.seat_to_move, after.colour_to_move) == (Seat.FIRST, Colour.DARK)
    over = play(after, "a1b1c1d1")
    assert over.outcome() == Outcome(Seat.FIRST, Scores(5 + 2, 2 + 4))


def test_a_lead_from_taiji_may_be_lost_on_top() -> None:
    state = play(SMALL, "b2/b3", "c4/b4", "a4/a3", "d2/d3", "c2/c1", "a1/a2")
    assert totals(state) == (3 + 6, 4 + 6)
    state = play(state, "a4b2b3b4", "swap", "a1b1c1d1", "c3d2d3d4")
    assert state.outcome() == Outcome(Seat.SECOND, Scores(3 + 2, 4 + 2))


@pytest.mark.parametrize(
    ("moves", "winner", "scores"),
    [
        ("c4/b4 d2/d3 b1/c1 a2/b2 b3/a3 c3/c2 a3a4b3c3 a1b1b2c1 d1d2d3d4", Seat.FIRST, (3 + 2, 3 + 2)),
        ("d2/c2 b3/c3 c4/b4 a2/a3 c1/b1 d3/d4 b3b4c3d3 a1b1b2c1", Seat.SECOND, (2 + 3, 2 + 3)),
        ("b2/a2 a4/a3 c1/b1 c3/d3 c4/b4 d2/d1 a3b1b2b3 swap c3d2d3d4", Seat.FIRST, (2 + 3, 2 + 3)),
        ("c3/b3 d2/d1 a4/a3 c1/b1 b2/a2 d4/c4 c3d2d3d4 swap a3a4b2b3 a1b1c1d1", Seat.SECOND, (1 + 2, 3 + 0)),
    ],
)
def test_a_tie_goes_to_who_placed_last(moves: str, winner: Seat, scores: tuple[int, int]) -> None:
    state = play(SMALL, *moves.split())
    assert state.last_seat is winner
    assert state.outcome() == Outcome(winner, Scores(*scores))


def test_without_a_second_tetromino_there_is_no_swap() -> None:
    state = play(f"{DOUBLE}:size=3", "a2/a1", "c1/c2", "b2/b3")
    assert totals(state) == (2 + 3, 1 + 3)
    state = play(state, "a2a3b3c3")
    assert state.is_over
    assert state.legal() == []
    assert state.outcome() == Outcome(Seat.FIRST, Scores(2 + 2, 1 + 2))
    assert refusal(state, "swap").code == "over"


def test_where_no_tetromino_fits_the_game_ends_with_taiji() -> None:
    state = play(f"{DOUBLE}:size=2", "a1/a2", "b1/b2")
    assert (state.stage_index, state.is_over) == (1, True)
    assert state.outcome() == Outcome(Seat.SECOND, Scores(2 + 2, 2 + 2)), "who placed last, in TAIJI then"
