"""Declarations that name no game: each says what is wrong and what could stand there instead."""

from __future__ import annotations

from typing import Any

import pytest

from taiji.rules import GameError, game_from_dict, game_from_toml
from tests.rules.test_custom import TOWER, declared

DOMINO = {"kind": "domino", "shape": ["ld"], "count": 6}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": "Small"}, "name 'Small': use small letters"),
        ({"name": ""}, "name '': use small letters"),
        ({"name": "a" * 41}, "at most 40"),
        ({"name": 7}, "name: give a str"),
        ({"colour": "red"}, "a game has no 'colour': it has board, first, last-bonus, name, pieces"),
        ({"words": ["One"]}, "words: give two"),
        ({"words": ["One", 2]}, "words: give two"),
        ({"words": "One"}, "words: give a list"),
        ({"tie": "coin"}, "tie=coin: choose one of light, dark, last, draw"),
        ({"first": "white"}, "first=white: choose one of light, dark"),
        ({"swap": "yes"}, "swap: give a bool"),
        ({"last-bonus": 0.3}, "last-bonus: give whole or half points, at most 1000"),
        ({"last-bonus": float("inf")}, "last-bonus: give whole or half points"),
        ({"last-bonus": float("nan")}, "last-bonus: give whole or half points"),
        ({"last-bonus": -1}, "last-bonus: give whole or half points"),
        ({"last-bonus": True}, "last-bonus: give whole or half points"),
        ({"last-bonus": "much"}, "last-bonus: give whole or half points"),
    ],
)
def test_a_garbled_game_says_what_is_wrong(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=message):
        declared(**changes)


@pytest.mark.parametrize(
    ("board", "message"),
    [
        ([], "board: give rows of one length"),
        (["..", "..."], "board: give rows of one length"),
        (["..", 7], "board: give rows of one length"),
        (["..", ".?"], r"board: '\?' is none of"),
        ([""], "a board of 0×1 is out of bounds"),
        (["." * 27], "a board of 27×1 is out of bounds: at most 26 columns and 128 cells"),
        (["." * 12] * 11, "a board of 12×11 is out of bounds"),
        ("....", "board: give a list"),
    ],
)
def test_a_garbled_board_says_what_is_wrong(board: object, message: str) -> None:
    with pytest.raises(GameError, match=message):
        declared(board=board)


@pytest.mark.parametrize(
    ("piece", "message"),
    [
        ({"kind": 3}, "kind: give a str"),
        ({"shape": "ld"}, "shape: give a list"),
        ({"shape": ["lx"]}, "piece domino: draw it with l, d or . and blanks"),
        ({"shape": ["l."]}, "piece domino has a colour on each square or on none"),
        ({"shape": [" "]}, "piece domino needs squares, each once"),
        ({"count": -1}, "count=-1: give 0 to 128 pieces"),
        ({"count": 129}, "count=129: give 0 to 128 pieces"),
        ({"count": True}, "count: give a int"),
        ({"turns": 4}, "a piece has no 'turns': it has count, flip, kind, shape, turn"),
        ({"flip": 1}, "flip: give a bool"),
    ],
)
def test_a_garbled_piece_says_what_is_wrong(piece: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=message):
        declared(pieces=[DOMINO | piece])


def test_pieces_are_tables_and_there_is_at_least_one() -> None:
    with pytest.raises(GameError, match="each piece is a table"):
        declared(pieces=["domino"])
    with pytest.raises(GameError, match="a stage needs at least one piece"):
        declared(pieces=[])
    with pytest.raises(GameError, match="count: give a int, it is missing"):
        declared(pieces=[{"kind": "domino", "shape": ["ld"]}])


def test_pieces_from_different_supplies_must_look_different() -> None:
    with pytest.raises(GameError, match="two pieces of kind domino from different supplies look alike"):
        declared(pieces=[DOMINO, DOMINO | {"shape": ["dl"]}])


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"gravity": True}, "rules has no 'gravity': it has first-covers, level-ground"),
        ({"touch": "yes"}, "touch: give a bool"),
        ({"first-covers": ["z9"]}, "first-covers: z9 is not on the board; give 'centre' or a list of cells"),
        ({"first-covers": 5}, "first-covers: .*give 'centre' or a list of cells"),
        ({"no-full-block": 2}, r"no-full-block: give its width and height, such as \[2, 2\]"),
        ({"no-full-block": [2, 0]}, "no-full-block: give its width and height"),
        ({"no-full-block": [2]}, "no-full-block: give its width and height"),
        ({"level-ground": True}, "level ground needs a stage below"),
    ],
)
def test_a_garbled_rule_of_placing_says_what_is_wrong(rules: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=message):
        declared(rules=rules)


@pytest.mark.parametrize(
    ("score", "message"),
    [
        (
            {"rule": "beauty"},
            "rule=beauty: choose one of largest, ranked, omega, squares, product, uncovered",
        ),
        ({"adjacency": "knight"}, "adjacency=knight: choose one of edge, king"),
        ({"groups": "two"}, "groups: give a int"),
        ({"groups": 0}, "groups and rank: count from 1"),
        ({"weight": 1}, "score has no 'weight'"),
        ({"rule": "uncovered"}, "the first stage counts uncovered symbols but its board has none"),
    ],
)
def test_a_garbled_way_of_counting_says_what_is_wrong(score: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=message):
        declared(score=score)
    with pytest.raises(GameError, match="a way to score is a table"):
        declared(tiebreak=["largest"])


@pytest.mark.parametrize(
    ("stages", "message"),
    [
        ([], "a game needs at least one stage"),
        (["one"], "each stage is a table"),
        ([TOWER["stages"][0] | {"name": "x"}], "a stage has no 'name'"),
        ([TOWER["stages"][0], TOWER["stages"][1] | {"board": ["..", ".."]}], "on boards of one size"),
        ([TOWER["stages"][0] | {"swap": True}, TOWER["stages"][1]], "at most one stage of a game has a swap"),
    ],
)
def test_garbled_stages_say_what_is_wrong(stages: list[Any], message: str) -> None:
    with pytest.raises(GameError, match=message):
        game_from_dict(TOWER | {"stages": stages})


@pytest.mark.parametrize("text", ["name = ", "= 3", "x = " + "[" * 100_000])
def test_what_is_not_toml_says_so(text: str) -> None:
    with pytest.raises(GameError, match="not TOML"):
        game_from_toml(text)
