"""TAILITS+TAIJI, sentence by sentence: the half point, the step between the stages, level ground, totals."""

from __future__ import annotations

import random

import pytest

from taiji.rules import Colour, Outcome, Scores, Seat, parse_game
from tests.rules.helpers import drawn, legal_texts, play, refusal, totals
from tests.rules.test_scores_tailits import DARK_LAST_10_10, LIGHT_LAST_6_6

LIGHT_LAST = LIGHT_LAST_6_6.moves.split()
DARK_LAST = DARK_LAST_10_10.moves.split()
DOUBLE = "tailits+taiji"


def test_tailits_comes_first_and_black_starts() -> None:
    state = parse_game(DOUBLE).start()
    assert (state.stage_index, state.current_stage.name) == (0, "tailits")
    assert (state.seat_to_move, state.colour_to_move) == (Seat.SECOND, Colour.DARK)
    assert len(state.legal()) == 432


def test_the_pieces_are_those_of_the_set_of_six() -> None:
    assert parse_game(DOUBLE).stages[0].stocks == parse_game("tailits").stages[0].stocks


def test_whoever_placed_last_gets_half_a_point() -> None:
    before = play(DOUBLE, *LIGHT_LAST[:-1])
    assert totals(before) == (6, 6), "nobody has placed last yet"
    assert totals(play(before, LIGHT_LAST[-1])) == (6.5, 6)
    assert totals(play(DOUBLE, *DARK_LAST)) == (10, 10.5)


@pytest.mark.parametrize(("moves", "totals_then"), [(LIGHT_LAST, (6.5, 4)), (DARK_LAST, (3, 5.5))])
def test_the_second_largest_group_may_score_in_tailits(
    moves: list[str], totals_then: tuple[float, float]
) -> None:
    assert totals(play(f"{DOUBLE}:score=second", *moves)) == totals_then


@pytest.mark.parametrize("moves", [LIGHT_LAST, DARK_LAST])
def test_then_white_starts_taiji_on_top_whoever_placed_last(moves: list[str]) -> None:
    state = play(DOUBLE, *moves)
    assert (state.stage_index, state.current_stage.name) == (1, "taiji")
    assert (state.seat_to_move, state.colour_to_move) == (Seat.FIRST, Colour.LIGHT)
    assert state.covered == 0
    assert state.ground.bit_count() == 4 * len(moves)
    assert not state.is_over


def test_the_colours_of_the_tetrominoes_no_longer_count() -> None:
    state = play(DOUBLE, *LIGHT_LAST)
    assert state.stage_scores() == Scores(0, 0)
    state = play(state, "d4/c4")
    assert state.stage_scores() == Scores(1, 1)
    assert totals(state) == (7.5, 7)


def test_both_halves_lie_on_bare_board_or_both_on_tetrominoes() -> None:
    state = play(DOUBLE, *LIGHT_LAST)
    texts = set(legal_texts(state))
    assert {"a1/a2", "a2/a1"} <= texts, "bare board"
    assert {"b1/c1", "c4/d4"} <= texts, "one tetromino"
    assert "a4/b4" in texts
    assert "d1/e1" in texts, "two tetrominoes"
    for light, dark in (text.split("/") for text in texts):
        heights = {bool(state.ground >> state.board.cell(cell) & 1) for cell in (light, dark)}
        assert len(heights) == 1


@pytest.mark.parametrize(
    ("move", "cell"), [("a1/b1", "a1"), ("b1/a1", "a1"), ("c2/c3", "c3"), ("k2/k3", "k2")]
)
def test_a_half_that_would_hang_over_a_step_is_refused_by_name(move: str, cell: str) -> None:
    reason = refusal(play(DOUBLE, *LIGHT_LAST), move)
    assert (reason.code, reason.cells) == ("not-level", (cell,))
    assert reason.text == f"one half would hang over the step at {cell}"


def test_a_taijitu_may_not_lie_on_another() -> None:
    assert refusal(play(DOUBLE, *LIGHT_LAST, "a1/a2"), "a2/a3").text == "a2 is already covered"


def test_pieces_of_the_other_stage_are_refused() -> None:
    reason = refusal(parse_game(DOUBLE).start(), "e6/f6", stage=1)
    assert reason.code == "wrong-stage"
    assert refusal(play(DOUBLE, *LIGHT_LAST), "e6f6/g6g7", stage=0).text == (
        "this piece belongs to another stage of the game"
    )


def test_taijitus_of_both_heights_form_one_group() -> None:
    state = play(f"{DOUBLE}:groups=1", *LIGHT_LAST, "b2/a2", "b1/c1")
    assert drawn(state)[-2:] == ["dl.........", ".ld........"]
    assert state.stage_scores() == Scores(2, 1)


def test_three_groups_count_unless_said_otherwise() -> None:
    assert parse_game(DOUBLE) == parse_game(f"{DOUBLE}:groups=3")
    moves = ("a1/a2", "k1/j1", "h1/h2")
    three, two, one = (play(f"{DOUBLE}:groups={n}", *LIGHT_LAST, *moves) for n in (3, 2, 1))
    assert [state.stage_scores() for state in (three, two, one)] == [Scores(3, 3), Scores(2, 2), Scores(1, 1)]


@pytest.mark.parametrize(
    ("moves", "seed", "winner", "scores"),
    [(LIGHT_LAST, 6, Seat.FIRST, (20.5, 20)), (DARK_LAST, 0, Seat.SECOND, (26, 26.5))],
)
def test_the_totals_decide_and_the_half_point_breaks_every_tie(
    moves: list[str], seed: int, winner: Seat, scores: tuple[float, float]
) -> None:
    state = play(DOUBLE, *moves)
    dice = random.Random(seed)
    while not state.is_over:
        state = state.play(dice.choice(state.legal()))
    here = state.stage_scores()
    assert here.first == here.second
    assert state.outcome() == Outcome(winner, Scores(*scores))
