"""Battle of LITS, sentence by sentence, mostly on boards of sixteen cells."""

from __future__ import annotations

from collections import Counter

import pytest

from taiji.rules import Colour, Outcome, Placement, Scores, Seat, Swap, parse_game
from tests.rules.helpers import legal_texts, move_of, play, refusal, symbols_text, totals

FACING = "battle-of-lits:symbols=xxxx|....|....|oooo"
SEED_ONE = (
    "xoox.oxoox|.o...ooo.x|o...xo....|o.x.x...xo|ox..xxooox|"
    "oxxxoo..ox|xo...o.o.x|....xo...x|o.xxx...x.|oxxox.oxxo"
)
EMPTY_8 = "battle-of-lits:symbols=" + "|".join(["........"] * 8)


def test_the_board_has_ten_rows_of_ten_with_thirty_symbols_each() -> None:
    state = parse_game("battle-of-lits").start()
    assert (state.board.width, state.board.height) == (10, 10)
    assert totals(state) == (30, 30)


@pytest.mark.parametrize("seed", [0, 1, 2, 99, 4294967295])
def test_on_a_seeded_board_o_is_x_turned_by_half_a_turn(seed: int) -> None:
    symbols = parse_game(f"battle-of-lits:board={seed}").start().symbols
    assert (symbols.light.bit_count(), symbols.dark.bit_count()) == (30, 30)
    assert symbols.light & symbols.dark == 0
    assert f"{symbols.light:0100b}"[::-1] == f"{symbols.dark:0100b}"


def test_a_seed_means_the_same_board_for_ever() -> None:
    state = parse_game("battle-of-lits").start()
    assert symbols_text(state.board, state.symbols.light, state.symbols.dark) == SEED_ONE
    assert parse_game("battle-of-lits:board=2").start().symbols != state.symbols


def test_a_drawn_board_reads_its_rows_from_the_top() -> None:
    state = parse_game("battle-of-lits:symbols=x..o|....|....|..xo").start()
    assert state.board.names(state.symbols.light) == ["a4", "c1"]
    assert state.board.names(state.symbols.dark) == ["d1", "d4"]


def test_there_are_five_tetrominoes_of_each_shape_without_colours() -> None:
    game = parse_game("battle-of-lits")
    assert {slot.kind: slot.count for slot in game.stages[0].stocks} == dict.fromkeys("LITS", 5)
    assert not any(placement.light or placement.dark for placement in game.placements)


def test_the_first_move_has_1292_choices_without_a_centre_rule() -> None:
    moves = [move for move in parse_game("battle-of-lits").start().legal() if isinstance(move, Placement)]
    assert Counter(move.kind for move in moves) == {"L": 8 * 72, "I": 2 * 70, "T": 4 * 72, "S": 4 * 72}
    assert len(moves) == 1292


def test_x_starts() -> None:
    state = parse_game("battle-of-lits").start()
    assert (state.colour_to_move, state.seat_to_move) == (Colour.LIGHT, Seat.FIRST)


def test_every_tetromino_shares_an_edge_with_another() -> None:
    reason = refusal(play(EMPTY_8, "a1b1c1d1"), "e2f2f3g2")
    assert (reason.code, reason.text) == ("no-touch", "touches no piece on the board")


def test_no_two_of_the_same_shape_share_an_edge() -> None:
    reason = refusal(play(EMPTY_8, "d4e4e5f4"), "e6f6f7g6")
    assert reason.text == "touches another T at e5"
    assert refusal(play(EMPTY_8, "d4e4e5f4"), "d1d2d3e2").text == "touches another T at d4"


def test_no_block_of_two_by_two_is_ever_covered() -> None:
    assert refusal(play(EMPTY_8, "d3e3f3g3"), "d4e4f4f5").text == "fills the 2×2 block d3–e4"


def test_a_covered_cell_is_refused_by_name() -> None:
    assert refusal(play(EMPTY_8, "d3e3f3g3"), "e3e4e5f5").text == "e3 is already covered"


def test_a_shape_runs_out_after_five() -> None:
    state = play(EMPTY_8, "d7e7f7g7", "c6d4d5d6", "d3e3f3g3", "e5f5g5h5", "b5b6b7b8", "b1c1d1d2", "a1a2a3a4")
    reason = refusal(state, "e1f1g1h1")
    assert (reason.code, reason.kind) == ("no-supply", "I")


def test_uncovered_symbols_score() -> None:
    state = play(FACING, "c1c2c3d3")
    assert totals(state) == (4, 3)
    state = play(state, "a1a2a3b2")
    assert state.outcome() == Outcome(Seat.FIRST, Scores(4, 2))
    assert state.scoring_groups(Colour.LIGHT) == []


@pytest.mark.parametrize(
    ("moves", "winner", "scores"),
    [
        (("a1a2a3a4", "b2c2c3d2"), Seat.SECOND, (3, 3)),
        (("a1a2a3a4", "b4c3c4d4", "b1c1d1d2"), Seat.FIRST, (0, 0)),
        (("c2c3c4d2", "swap", "a2a3b1b2"), Seat.FIRST, (3, 3)),
        (("b4c3c4d4", "swap", "a1a2a3a4", "b1c1d1d2"), Seat.SECOND, (0, 0)),
    ],
)
def test_a_tie_goes_to_whoever_placed_last(
    moves: tuple[str, ...], winner: Seat, scores: tuple[int, int]
) -> None:
    state = play(FACING, *moves)
    assert state.last_seat is winner
    assert state.outcome() == Outcome(winner, Scores(*scores))


def test_the_second_player_may_swap_on_the_first_turn_instead_of_placing() -> None:
    state = play(FACING, "b4c3c4d4")
    assert isinstance(state.legal()[-1], Swap)
    assert "swap" in legal_texts(state)
    assert len(legal_texts(state)) > 1


def test_a_swap_exchanges_the_colours_of_the_seats_and_the_first_seat_now_o_moves() -> None:
    before = play(FACING, "a1b1c1d1")
    assert totals(before) == (4, 0)
    assert (before.seat_to_move, before.colour_to_move) == (Seat.SECOND, Colour.DARK)
    after = play(before, "swap")
    assert totals(after) == (0, 4)
    assert (after.seat_to_move, after.colour_to_move) == (Seat.FIRST, Colour.DARK)
    assert after.colour_of(Seat.FIRST) is Colour.DARK
    assert after.seat_of(Colour.LIGHT) is Seat.SECOND
    assert after.last_seat is Seat.FIRST, "a swap places nothing"
    assert after.ply == before.ply + 1
    assert set(legal_texts(after)) == set(legal_texts(before)) - {"swap"}
    third = play(after, "a2a3a4b4")
    assert (third.seat_to_move, third.colour_to_move) == (Seat.SECOND, Colour.LIGHT)


@pytest.mark.parametrize(
    "moves", [(), ("b4c3c4d4", "swap"), ("b4c3c4d4", "a1a2a3a4"), ("b4c3c4d4", "swap", "a1a2a3a4")]
)
def test_a_swap_is_refused_on_every_other_turn(moves: tuple[str, ...]) -> None:
    reason = refusal(play(FACING, *moves), "swap")
    assert reason.code == "no-swap"
    assert reason.text == "a swap is only possible when the rules offer it"


def test_swap_no_takes_the_choice_away() -> None:
    game = parse_game(FACING + ",swap=no")
    assert game.swap is None
    assert "swap" not in legal_texts(play(FACING + ",swap=no", "b4c3c4d4"))
    foreign = move_of(parse_game(FACING).start(), "swap")
    refused = game.start().illegal_reason(foreign)
    assert refused is not None
    assert refused.code == "no-swap"


def test_a_swapped_game_is_won_by_the_seat_not_the_colour() -> None:
    state = play(FACING, "b2b3c3d3", "swap", "a1b1c1d1")
    assert state.outcome() == Outcome(Seat.SECOND, Scores(0, 4)), "the second seat is X now and keeps four"
    state = play(FACING, "b4c3c4d4", "swap", "a2a3b2c2")
    assert state.outcome() == Outcome(Seat.FIRST, Scores(4, 1))
