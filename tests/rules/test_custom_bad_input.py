"""Declarations that name no game: each says what is wrong and what could stand there instead."""

from __future__ import annotations

import re
from typing import Any

import pytest

from taiji.rules import GameError, game_from_dict, game_from_toml
from tests.rules.test_custom import TOWER, declared

DOMINO = {"kind": "domino", "shape": ["ld"], "count": 6}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": "Small"}, "name 'Small': invalid (expected at most 40 lower-case letters"),
        ({"name": ""}, "name '': invalid (expected at most 40 lower-case letters"),
        ({"name": "a" * 41}, "at most 40"),
        ({"name": 7}, "name: invalid (expected text"),
        ({"colour": "red"}, "a game has no 'colour' (expected board, first, komi, last-bonus, name"),
        ({"words": ["One"]}, "words: invalid (expected two"),
        ({"words": ["One", 2]}, "words: invalid (expected two"),
        ({"words": "One"}, "words: invalid (expected a list"),
        ({"tie": "coin"}, "tie=coin: invalid (expected one of light, dark, last, draw"),
        ({"first": "white"}, "first=white: invalid (expected one of light, dark"),
        ({"swap": "yes"}, "swap: invalid (expected true, false, or 1 or 3"),
        ({"last-bonus": 0.3}, "last-bonus: invalid (expected whole or half points from 0 to 1000"),
        ({"last-bonus": 1000.5}, "last-bonus: invalid (expected whole or half points"),
        ({"last-bonus": float("inf")}, "last-bonus: invalid (expected whole or half points"),
        ({"last-bonus": float("nan")}, "last-bonus: invalid (expected whole or half points"),
        ({"last-bonus": -1}, "last-bonus: invalid (expected whole or half points"),
        ({"last-bonus": True}, "last-bonus: invalid (expected whole or half points"),
        ({"komi": float("inf")}, "komi: invalid (expected whole or half points up to"),
        ({"komi": float("nan")}, "komi: invalid (expected whole or half points up to"),
        ({"komi": "much"}, "komi: invalid (expected whole or half points up to"),
        ({"last-bonus": "much"}, "last-bonus: invalid (expected whole or half points"),
    ],
)
def test_a_garbled_game_says_what_is_wrong(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=re.escape(message)):
        declared(**changes)


@pytest.mark.parametrize(
    ("board", "message"),
    [
        ([], "board: invalid (expected rows of one length"),
        (["..", "..."], "board: invalid (expected rows of one length"),
        (["..", 7], "board: invalid (expected rows of one length"),
        (["..", ".?"], "board: '?' is not a mark"),
        ([""], "a board of 0×1 is out of bounds"),
        (["." * 27], "a board of 27×1 is out of bounds: at most 26 columns and 128 cells"),
        (["." * 12] * 11, "a board of 12×11 is out of bounds"),
        ("....", "board: invalid (expected a list"),
    ],
)
def test_a_garbled_board_says_what_is_wrong(board: object, message: str) -> None:
    with pytest.raises(GameError, match=re.escape(message)):
        declared(board=board)


@pytest.mark.parametrize(
    ("piece", "message"),
    [
        ({"kind": 3}, "kind: invalid (expected text"),
        ({"shape": "ld"}, "shape: invalid (expected a list"),
        ({"shape": ["lx"]}, "piece 'domino': 'x' in its shape (expected rows of l, d, . and blanks)"),
        ({"shape": ["l."]}, "piece 'domino': colours 'l.' (expected l or d on each square, or . on all)"),
        ({"shape": [" "]}, "piece 'domino': no squares"),
        ({"count": -1}, "count=-1: invalid (expected 0 to 128 pieces"),
        ({"count": 129}, "count=129: invalid (expected 0 to 128 pieces"),
        ({"count": True}, "count: invalid (expected an integer"),
        ({"turns": 4}, "a piece has no 'turns' (expected count, flip, kind, shape, turn)"),
        ({"flip": 1}, "flip: invalid (expected true or false"),
    ],
)
def test_a_garbled_piece_says_what_is_wrong(piece: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=re.escape(message)):
        declared(pieces=[DOMINO | piece])


def test_pieces_are_tables_and_there_is_at_least_one() -> None:
    with pytest.raises(GameError, match=r"pieces: invalid \(expected tables"):
        declared(pieces=["domino"])
    with pytest.raises(GameError, match="a stage needs at least one piece"):
        declared(pieces=[])
    with pytest.raises(GameError, match=r"count: missing \(expected an integer"):
        declared(pieces=[{"kind": "domino", "shape": ["ld"]}])


def test_pieces_from_different_supplies_must_look_different() -> None:
    with pytest.raises(GameError, match="two pieces of kind domino from different supplies look alike"):
        declared(pieces=[DOMINO, DOMINO | {"shape": ["dl"]}])


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"gravity": True}, "rules has no 'gravity' (expected first-covers, level-ground"),
        ({"touch": "yes"}, "touch: invalid (expected true or false"),
        (
            {"first-covers": ["z9"]},
            "first-covers: z9 is not on the board (expected 'centre' or a list of cells",
        ),
        ({"first-covers": 5}, "first-covers: invalid (expected 'centre' or a list of cells"),
        ({"no-full-block": 2}, "no-full-block: invalid (expected its width and height, such as [2, 2]"),
        ({"no-full-block": [2, 0]}, "no-full-block: invalid (expected its width and height"),
        ({"no-full-block": [2]}, "no-full-block: invalid (expected its width and height"),
        ({"level-ground": True}, "level ground needs a stage below"),
    ],
)
def test_a_garbled_rule_of_placing_says_what_is_wrong(rules: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=re.escape(message)):
        declared(rules=rules)


@pytest.mark.parametrize(
    ("score", "message"),
    [
        (
            {"rule": "beauty"},
            "rule=beauty: invalid (expected one of tally, product, omega, largest, ranked, squares, uncover",
        ),
        ({"adjacency": "knight"}, "adjacency=knight: invalid (expected one of edge, king"),
        ({"groups": "two"}, "groups: invalid (expected an integer"),
        ({"groups": 0}, "groups=0: invalid (expected an integer from 1"),
        ({"weight": 1}, "score has no 'weight'"),
        ({"rule": "uncovered"}, "the first stage counts uncovered symbols but its board has none"),
    ],
)
def test_a_garbled_way_of_counting_says_what_is_wrong(score: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=re.escape(message)):
        declared(score=score)
    with pytest.raises(GameError, match=r"score: invalid \(expected a table"):
        declared(tiebreak=["largest"])


@pytest.mark.parametrize(
    ("stages", "message"),
    [
        ([], "a game needs at least one stage"),
        (["one"], "stages: invalid (expected tables"),
        ([TOWER["stages"][0] | {"name": "x"}], "a stage has no 'name'"),
        ([TOWER["stages"][0], TOWER["stages"][1] | {"board": ["..", ".."]}], "boards of the same size"),
        ([TOWER["stages"][0] | {"swap": True}, TOWER["stages"][1]], "at most one stage of a game has a swap"),
    ],
)
def test_garbled_stages_say_what_is_wrong(stages: list[Any], message: str) -> None:
    with pytest.raises(GameError, match=re.escape(message)):
        game_from_dict(TOWER | {"stages": stages})


@pytest.mark.parametrize("declaration", [None, 5, [], ["name"], 'name = "small"'])
def test_what_is_not_a_table_is_refused(declaration: object) -> None:
    kind = type(declaration).__name__
    with pytest.raises(TypeError, match=rf"^declaration: invalid {kind} \(expected a table\)$"):
        game_from_dict(declaration)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["name = ", "= 3", "x = " + "[" * 100_000])
def test_what_is_not_toml_says_so(text: str) -> None:
    with pytest.raises(GameError, match="not TOML"):
        game_from_toml(text)
