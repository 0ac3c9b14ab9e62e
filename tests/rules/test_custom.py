"""Custom games: declared in a few lines, played like any other, rejected with a reason if invalid."""

from __future__ import annotations

import random
from typing import Any

import pytest

from taiji.rules import (
    Colour,
    Game,
    GameError,
    Outcome,
    Scores,
    Seat,
    State,
    game_from_dict,
    game_from_toml,
    parse_game,
    register,
    registered_games,
)
from tests.rules.helpers import legal_texts, play, refusal, totals

RING = """
name = "ring"
words = ["Day", "Night"]
tie = "light"
first = "dark"
board = ["....", ".##.", ".##.", "...."]

[[pieces]]
kind = "domino"
shape = ["ld"]
count = 6

[score]
rule = "largest"
"""

TOWER: dict[str, Any] = {
    "name": "tower",
    "tie": "draw",
    "stages": [
        {
            "board": ["...", "..."],
            "pieces": [{"kind": "bar", "shape": ["ld"], "count": 2}],
            "last-bonus": 0.5,
        },
        {
            "board": ["...", "..."],
            "first": "dark",
            "pieces": [
                {"kind": "bar", "shape": ["..."], "count": 1},
                {"kind": "bar", "shape": [".."], "count": 1},
            ],
            "rules": {"level-ground": True},
            "score": {"rule": "uncovered"},
            "swap": True,
        },
    ],
}


def declared(**changes: Any) -> Game:
    """A small game with some of its declaration replaced."""
    table: dict[str, Any] = {
        "name": "small",
        "board": ["....", "....", "...."],
        "pieces": [{"kind": "domino", "shape": ["ld"], "count": 6}],
    }
    return game_from_dict(table | changes)


def test_a_board_with_a_hole_is_played_around_it() -> None:
    game = game_from_toml(RING)
    start = game.start()
    assert str(game) == "ring"
    assert (game.colour_names.of(Colour.LIGHT), game.colour_names.of(Colour.DARK)) == ("Day", "Night")
    assert start.seat_to_move is Seat.SECOND
    assert len(start.legal()) == 24
    assert len(game.symmetries) == 8
    state = play(start, "a1/b1", "a2/a3", "d1/c1", "d2/d3", "a4/b4")
    assert totals(state) == (2, 2)
    assert play(state, "d4/c4").outcome() == Outcome(Seat.FIRST, Scores(2, 2)), "a tie is Light's here"


def test_a_game_of_two_stages_with_a_bonus_level_ground_and_a_swap() -> None:
    game = game_from_dict(TOWER)
    state = play(game.start(), "a1/b1", "b2/a2")
    assert (state.stage_index, state.seat_to_move) == (1, Seat.SECOND)
    assert totals(state) == (1 + 2, 1 + 2 + 0.5)
    assert refusal(state, "a1b1c1").text == "a part of it would hang over the step at c1"
    assert set(legal_texts(state)) == {"a1a2", "a1b1", "a2b2", "b1b2", "c1c2"}
    assert play(state, "a1b1").is_over, "one bar lies, the other has no level ground"


def test_a_kind_may_have_several_shapes_and_ends_when_none_of_them_fits() -> None:
    long_and_short = [
        {"kind": "bar", "shape": ["ld"], "count": 1},
        {"kind": "bar", "shape": ["ldl"], "count": 3},
    ]
    state = declared(board=["....", "...."], pieces=long_and_short).start()
    while not state.is_over:
        assert state.legal()
        state = state.play(state.legal()[0])
    assert state.supply[0] == 0


def test_every_rule_of_placing_can_be_declared() -> None:
    rules = {"first-covers": ["a1"], "touch": True, "same-kind-apart": True, "no-full-block": [2, 3]}
    pieces = [
        {"kind": "A", "shape": ["ld"], "count": 4},
        {"kind": "B", "shape": ["l", "d"], "count": 4, "turn": False},
    ]
    with pytest.raises(GameError, match="pieces of kinds A and B look alike"):
        declared(pieces=pieces)
    pieces[1]["shape"] = ["l ", "dl"]
    game = declared(rules=rules, pieces=pieces)
    assert refusal(game.start(), "b1/c1").text == "the first piece must cover a1"
    state = play(game.start(), "a1/b1")
    assert refusal(state, "a2/b2").text == "touches another A at a1"
    assert refusal(state, "c3/d3").code == "no-touch"
    assert len(game.symmetries) == 1


@pytest.mark.parametrize(("turn", "flip", "count"), [(True, True, 8), (True, False, 1), (False, True, 1)])
def test_pieces_that_may_not_be_turned_or_flipped_leave_one_symmetry(
    turn: bool, flip: bool, count: int
) -> None:
    piece = {"kind": "A", "shape": ["l ", "dd"], "count": 4, "turn": turn, "flip": flip}
    assert len(declared(board=["...", "...", "..."], pieces=[piece]).symmetries) == count


def test_the_first_piece_may_have_to_cover_the_centre() -> None:
    state = declared(board=["...", "...", "..."], rules={"first-covers": "centre"}).start()
    assert len(state.legal()) == 8
    assert refusal(state, "a1/b1").text == "the first piece must cover the centre b2"


def test_a_block_that_is_not_square_is_not_turned() -> None:
    wide = declared(board=["...", "...", "..."], rules={"no-full-block": [3, 2]})
    square = declared(board=["...", "...", "..."], rules={"no-full-block": [2, 2]})
    assert (len(wide.symmetries), len(square.symmetries)) == (4, 8)
    state = play(wide.start(), "a1/a2", "b1/b2")
    assert refusal(state, "c1/c2").text == "fills the 3×2 block a1–c2"


def test_pieces_that_may_not_turn_or_flip_stay_as_drawn() -> None:
    def choices(**how: bool) -> int:
        return len(declared(pieces=[{"kind": "J", "shape": ["l", "ld"], "count": 6, **how}]).start().legal())

    assert choices() == 6 * 8
    assert choices(flip=False) == 6 * 4
    assert choices(turn=False) == 6 * 2
    assert choices(turn=False, flip=False) == 6


@pytest.mark.parametrize(
    ("score", "light", "dark"),
    [
        ({}, 2, 1),
        ({"groups": 2}, 2 + 1, 1 + 1),
        ({"rule": "ranked"}, 1, 1),
        ({"rule": "ranked", "rank": 1, "adjacency": "king"}, 2, 2),
        ({"rule": "omega"}, 2 * 1, 1 * 1 * 1),
        ({"rule": "squares", "groups": 2}, 4 + 1, 1 + 1),
        ({"rule": "product", "groups": 2, "adjacency": "king"}, 2 * 1, 2 * 1),
    ],
)
def test_every_way_of_counting_can_be_declared(score: dict[str, Any], light: int, dark: int) -> None:
    # Light has b1 with c1, and b3; dark has a1, at its corner b2, and d1.
    state = play(declared(score=score).start(), "b1/a1", "c1/d1", "b3/b2")
    assert totals(state) == (light, dark)


@pytest.mark.parametrize(("bonus", "half_points"), [(0, 0), (0.5, 1), (1000, 2000)])
def test_the_bonus_for_placing_last_is_kept_in_half_points(bonus: float, half_points: int) -> None:
    assert declared(**{"last-bonus": bonus}).stages[0].last_placement_bonus == half_points


def test_ties_go_as_declared() -> None:
    winners = {}
    for tie in ("light", "dark", "last", "draw"):
        outcome = play(declared(board=["..", ".."], tie=tie).start(), "a1/b1", "b2/a2").outcome()
        assert outcome is not None
        assert outcome.scores == Scores(1, 1)
        winners[tie] = outcome.winner
    assert winners == {"light": Seat.FIRST, "dark": Seat.SECOND, "last": Seat.SECOND, "draw": None}


def test_a_tie_may_be_broken_by_another_way_of_counting() -> None:
    fourth = {"rule": "ranked", "rank": 4}
    board = ["...", "...", "..."]
    game = declared(board=board, score=fourth, tiebreak=[{"rule": "squares"}, {"rule": "omega"}], tie="draw")
    three_to_one = play(game.start(), "b2/b1", "a2/a3", "c2/c3")
    assert three_to_one.outcome() == Outcome(Seat.FIRST, Scores(0, 0))
    one_to_two = play(game.start(), "b1/b2", "a3/a2", "c2/c3")
    assert one_to_two.outcome() == Outcome(Seat.SECOND, Scores(0, 0))
    one_to_one = play(game.start(), "b1/b2", "a2/a3", "c2/c3")
    assert one_to_one.outcome() == Outcome(None, Scores(0, 0))


def test_a_registered_game_is_found_by_its_name() -> None:
    game = register(declared(name="small-registered"))
    assert parse_game("small-registered") is game
    assert any(each is game for each in registered_games())
    assert register(declared(name="small-registered")) == game
    for taken in ("taiji", "deluxe"):
        with pytest.raises(GameError, match=f"the name {taken} is taken"):
            register(declared(name=taken))
    with pytest.raises(GameError, match="the name small-registered is taken"):
        register(declared(name="small-registered", tie="draw"))
    with pytest.raises(GameError, match="small-registered"):
        parse_game("no-such-game")


def test_a_declared_game_is_restored_like_any_other() -> None:
    dice = random.Random(1)
    state = game_from_dict(TOWER).start()
    while not state.is_over:
        assert State.restore(state.game, state.placed, state.swapped) == state
        state = state.play(dice.choice(state.legal()))
    assert state.outcome() is not None


def test_an_integer_beyond_64_bits_is_refused() -> None:
    with pytest.raises(GameError, match=r"^an integer is too large \(expected at most 64 bits\)$"):
        game_from_dict({**TOWER, "count": 1 << 63})


def test_a_table_inside_itself_is_refused() -> None:
    rules: dict[str, Any] = {}
    rules["again"] = [rules]
    with pytest.raises(GameError, match=r"^nested too deep \(expected at most 32 levels\)$"):
        game_from_dict({**TOWER, "rules": rules})
