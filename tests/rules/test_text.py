"""Moves and positions read and write as text, and moves of other games are refused."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from taiji import IllegalMove, NotationError, State, parse_game
from taiji.rules import Board, Game, Swap, Tie

GAMES = ["taiji:size=5", "tailits", "battle-of-lits", "tailits+taiji", "taiji+battle-of-lits:size=5"]


@pytest.mark.parametrize("text", GAMES)
def test_moves_and_positions_round_trip(text: str) -> None:
    rng = random.Random(text)
    state = parse_game(text).start()
    while not state.is_over:
        move = rng.choice(state.legal())
        assert state.parse(str(move)) == move
        if not isinstance(move, Swap):
            assert eval(repr(move), {"parse_game": parse_game}) == move
        assert state.play(str(move)) == state.play(move)
        state = state.play(move)
    assert eval(repr(state), {"parse_game": parse_game, "State": State}) == state


def test_a_move_of_another_board_is_refused() -> None:
    small, large = parse_game("taiji:size=5"), parse_game("taiji:size=7")
    with pytest.raises(IllegalMove, match="belongs to another game"):
        large.start().play(small.parse("d2/e2"))
    first = small.parse("a1/b1")  # the same action and masks as on the larger board
    assert (first.action, first.cells) == (large.placements[0].action, large.placements[0].cells)
    with pytest.raises(IllegalMove, match="belongs to another game"):
        large.start().play(first)


def test_a_piece_of_another_game_is_refused() -> None:
    with pytest.raises(IllegalMove, match="belongs to another game"):
        parse_game("taiji").start().play(parse_game("tailits").placements[-1])


def test_a_swap_of_another_game_is_refused() -> None:
    state = parse_game("battle-of-lits").start()
    state = state.play(state.legal()[0])
    assert state.is_legal("swap")
    assert not state.is_legal(Swap(0))


def test_a_move_of_the_same_pieces_under_another_score_is_accepted() -> None:
    move = parse_game("taiji:groups=1").parse("e4/e5")
    assert parse_game("taiji:groups=3").start().play(move).light.bit_count() == 1


def test_a_piece_of_another_stage_is_refused() -> None:
    game = parse_game("tailits+taiji")
    with pytest.raises(IllegalMove, match="another stage"):
        game.start().play(game.parse("e4/e5", stage=1))


@pytest.mark.parametrize(("text", "code"), [("a9/b9", "off-board"), ("a1/c3", "not-a-piece")])
def test_a_text_that_names_no_move_has_a_reason(text: str, code: str) -> None:
    state = parse_game("taiji:size=5").start()
    reason = state.illegal_reason(text)
    assert reason is not None
    assert reason.code == code
    with pytest.raises(IllegalMove):
        state.play(text)


def test_a_text_that_is_not_a_move_raises() -> None:
    state = parse_game("taiji:size=5").start()
    with pytest.raises(NotationError, match="column 1: invalid cell"):
        state.play("?!")
    with pytest.raises(NotationError, match="expected e4/e5"):
        state.is_legal("")


@pytest.mark.parametrize("value", [5, None, ("a1", "b1"), b"a1/b1"])
def test_another_type_raises(value: object) -> None:
    state = parse_game("taiji:size=5").start()
    for function in (state.play, state.is_legal, state.illegal_reason, state.parse, state.game.parse):
        with pytest.raises(TypeError, match="expected a move or its text"):
            function(value)  # type: ignore[operator]


def test_a_stage_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match=r"stage=1: invalid \(expected 0 to 0"):
        parse_game("taiji").parse("a1/b1", stage=1)


def test_a_position_prints_its_board_scores_and_mover() -> None:
    state = parse_game("taiji:size=3").start().play("a1/a2").play("b2,c2")
    assert str(state).splitlines() == [
        "3  . . .",
        "2  * o *",
        "1  o . .",
        "   a b c",
        "Light 1, Dark 1; Light to move",
    ]


def test_a_finished_game_prints_its_winner() -> None:
    state = parse_game("taiji:size=2").start().play("a1/a2").play("b1/b2")
    assert str(state).splitlines()[-1] == "Light 2, Dark 2; Dark wins"


def test_symbols_heights_holes_and_pieces_without_colours_print() -> None:
    symbols = parse_game("battle-of-lits:symbols=x..o|....|....|o..x,size=4").start()
    after = symbols.play(symbols.legal()[0])
    assert str(symbols).splitlines()[0] == "4  X . . O"
    assert sum(line.count("#") for line in str(after).splitlines()) == 4
    double = parse_game("tailits+taiji").start()
    rng = random.Random(3)
    while double.stage_index == 0:
        double = double.play(rng.choice(double.legal()))
    assert sum(line.count(":") for line in str(double).splitlines()) == double.ground.bit_count()


def test_holes_and_draws_print() -> None:
    board = Board(3, 3, holes=1 << 4)
    stage = replace(parse_game("taiji:size=3").stages[0], board=board)
    state = Game("ring", (stage,), Tie.DRAW).start()
    assert str(state).splitlines()[1] == "2  .   ."
    for text in ("a1/a2", "c2/c1", "a3/b3"):
        state = state.play(text)
    assert str(state).splitlines()[-1] == "Light 1, Dark 1; a draw"


def test_an_error_is_located_in_the_text_around_it() -> None:
    error = NotationError("invalid cell", column=3, ply=2).at(line=7, column=10)
    assert str(error) == "line 7, column 12, ply 2: invalid cell"
    assert str(NotationError("no moves").at(ply=1)) == "ply 1: no moves"
