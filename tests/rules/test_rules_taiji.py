"""TAIJI, sentence by sentence, with boards small enough to count by eye."""

from __future__ import annotations

import pytest

from taiji.rules import Colour, Outcome, Scores, Seat, parse_game
from tests.rules.helpers import drawn, legal_texts, play, refusal, totals

# Three dominoes on 3×3 leave a1, c1 and b3 free, no two of them side by side.
STRIPES = ("b2/b1", "a2/a3", "c2/c3")
FULL_4 = ("a1/b1", "a2/b2", "a3/b3", "d3/c3", "d1/d2", "c1/c2", "a4/b4", "c4/d4")
FULL_4_BOARD = [
    "ldld",  # light: a1-a4 is 4, c1-d1 is 2, c4 and d3 are 1 each
    "lddl",  # dark: b1-b4 with c2, c3 and d2 is 7, d4 is 1
    "lddd",
    "ldll",
]


def test_light_starts_and_the_players_alternate() -> None:
    state = parse_game("taiji").start()
    assert (state.colour_to_move, state.seat_to_move) == (Colour.LIGHT, Seat.FIRST)
    state = play(state, "e4/e5")
    assert (state.colour_to_move, state.seat_to_move) == (Colour.DARK, Seat.SECOND)
    state = play(state, "a1/b1")
    assert (state.colour_to_move, state.seat_to_move) == (Colour.LIGHT, Seat.FIRST)


def test_a_turn_places_one_light_and_one_dark_square() -> None:
    state = play("taiji:size=3", "a1/a2")
    assert drawn(state) == ["...", "d..", "l.."]


def test_the_mover_chooses_which_half_goes_where() -> None:
    assert {"e4/e5", "e5/e4"} <= set(legal_texts(parse_game("taiji").start()))


@pytest.mark.parametrize(("size", "choices"), [(2, 8), (7, 168), (9, 288), (11, 440)])
def test_the_first_move_has_four_n_times_n_minus_one_choices(size: int, choices: int) -> None:
    assert len(parse_game(f"taiji:size={size}").start().legal()) == choices == 4 * size * (size - 1)


def test_squares_are_side_by_side_and_never_wrap_round_the_board() -> None:
    texts = set(legal_texts(parse_game("taiji:size=3").start()))
    assert "c1/a2" not in texts
    assert "a1/b2" not in texts
    assert len(texts) == 24


@pytest.mark.parametrize(
    ("move", "cell"), [("a1/a2", "a1"), ("a2/a1", "a1"), ("b1/c1", "b1"), ("a1/b1", "a1")]
)
def test_a_covered_square_is_refused_by_name(move: str, cell: str) -> None:
    reason = refusal(play("taiji:size=3", "a1/b1"), move)
    assert (reason.code, reason.cells) == ("occupied", (cell,))
    assert reason.text == f"{cell} is already covered"


def test_the_game_ends_when_no_two_neighbouring_squares_are_free() -> None:
    state = play("taiji:size=3", *STRIPES[:2])
    assert not state.is_over
    assert state.outcome() is None
    state = play(state, STRIPES[2])
    assert drawn(state) == ["d.d", "lll", ".d."]
    assert state.is_over
    assert state.legal() == []


def test_nothing_may_be_placed_after_the_end() -> None:
    reason = refusal(play("taiji:size=3", *STRIPES), "a1/b1")
    assert (reason.code, reason.text) == ("over", "the game is over")


def test_the_largest_group_scores() -> None:
    state = play("taiji:size=3", *STRIPES)
    assert totals(state) == (3, 1)
    assert state.outcome() == Outcome(Seat.FIRST, Scores(3, 1))


def test_a_tie_is_darks_win() -> None:
    state = play("taiji:size=3", "b1/b2", "a2/a3", "c2/c3")
    assert drawn(state) == ["d.d", "ldl", ".l."]
    assert state.outcome() == Outcome(Seat.SECOND, Scores(1, 1))


def test_three_groups_may_tie_one_of_three() -> None:
    state = play("taiji:size=3,groups=3", *STRIPES)
    assert state.outcome() == Outcome(Seat.SECOND, Scores(3, 3))


def test_groups_do_not_join_at_corners() -> None:
    state = play("taiji:size=3", "a1/a2", "b2/b1")
    assert drawn(state) == ["...", "dl.", "ld."]
    assert totals(state) == (1, 1)


@pytest.mark.parametrize(
    ("options", "light", "dark"),
    [
        ("groups=1", 4, 7),
        ("groups=2", 4 + 2, 7 + 1),
        ("groups=3", 4 + 2 + 1, 7 + 1),
        ("score=omega", 4 * 2 * 1 * 1, 7 * 1),
        ("score=squares", 16, 49),
        ("groups=2,score=squares", 16 + 4, 49 + 1),
        ("groups=3,score=squares", 16 + 4 + 1, 49 + 1),
        ("score=product", 4, 7),
        ("groups=2,score=product", 4 * 2, 7 * 1),
        ("groups=3,score=product", 4 * 2 * 1, 7 * 1),
    ],
)
def test_one_full_board_counted_in_every_way(options: str, light: int, dark: int) -> None:
    state = play(f"taiji:size=4,{options}", *FULL_4)
    assert drawn(state) == FULL_4_BOARD
    winner = Seat.FIRST if light > dark else Seat.SECOND
    assert state.outcome() == Outcome(winner, Scores(light, dark))


@pytest.mark.parametrize("score", ["sum", "omega", "squares", "product"])
def test_no_group_scores_nothing(score: str) -> None:
    assert totals(parse_game(f"taiji:size=4,score={score}").start()) == (0, 0)


def test_the_groups_that_count_are_those_that_score() -> None:
    state = play("taiji:size=4,groups=2", *FULL_4)
    assert [state.board.names(group) for group in state.scoring_groups(Colour.LIGHT)] == [
        ["a1", "a2", "a3", "a4"],
        ["c1", "d1"],
    ]
    assert [group.bit_count() for group in state.scoring_groups(Colour.DARK)] == [7, 1]


@pytest.mark.parametrize(("size", "groups"), [(2, 1), (7, 1), (8, 2), (9, 2), (10, 3), (11, 3)])
def test_the_recommended_number_of_groups_is_the_default(size: int, groups: int) -> None:
    assert parse_game(f"taiji:size={size}") == parse_game(f"taiji:size={size},groups={groups}")


def test_diagonal_lets_the_halves_touch_at_a_corner() -> None:
    texts = set(legal_texts(parse_game("taiji:size=3,diagonal=yes").start()))
    assert {"a1/a2", "a1/b2", "b2/a1", "a2/b1"} <= texts
    assert len(texts) == 24 + 4 * 4
    assert "c1/a2" not in texts


def test_diagonal_halves_still_group_by_edges_alone() -> None:
    state = play("taiji:size=3,diagonal=yes", "a1/b2", "b3/c2")
    assert drawn(state) == [".l.", ".dd", "l.."]
    assert totals(state) == (1, 2)


def test_diagonal_games_end_when_not_even_a_corner_pair_is_free() -> None:
    state = play("taiji:size=2,diagonal=yes", "a1/b2")
    assert set(legal_texts(state)) == {"a2/b1", "b1/a2"}
    state = play(state, "a2/b1")
    assert drawn(state) == ["ld", "ld"]
    assert state.outcome() == Outcome(Seat.SECOND, Scores(2, 2))


def test_the_players_own_colour_decides_however_the_pieces_were_laid() -> None:
    state = play("taiji:size=2", "a1/b1", "a2/b2")
    assert state.outcome() == Outcome(Seat.SECOND, Scores(2, 2))
    state = play("taiji:size=2", "a1/b1", "b2/a2")
    assert state.outcome() == Outcome(Seat.SECOND, Scores(1, 1))
