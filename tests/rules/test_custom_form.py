"""Rules stated in the compiled form itself: in TOML a user adds a rule without writing code."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from taiji.rules import Colour, GameError, game_from_dict, game_from_toml
from taiji.rules.program import Why
from tests.rules.helpers import legal_texts, play, refusal, totals
from tests.rules.test_custom import declared

BUILT_IN: list[tuple[str, object, dict[str, Any]]] = [
    ("touch", True, {"plane": "covered", "region": "around", "counts": [[1, -1]], "when": "later"}),
    ("same-kind-apart", True, {"plane": "kind", "region": "around", "counts": [[0, 0]]}),
    ("no-full-block", [2, 3], {"plane": "after", "region": "each", "blocks": [2, 3], "counts": [[0, -2]]}),
    (
        "first-covers",
        ["b2", "b3"],
        {"plane": "piece", "region": "fixed", "cells": ["b2", "b3"], "counts": [[-1, -1]], "when": "first"},
    ),
]


@pytest.mark.parametrize(
    ("key", "value", "form"), BUILT_IN, ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_rule_of_placing_can_be_stated_by_its_form(key: str, value: object, form: dict[str, Any]) -> None:
    built_in = declared(rules={key: value}).compiled.stages[0].tests
    stated = declared(rules={"test": [{"name": key, **form}]}).compiled.stages[0].tests
    why = Why("", "")
    assert [replace(test, why=why) for test in stated] == [replace(test, why=why) for test in built_in]


def test_level_ground_can_be_stated_by_its_form() -> None:
    form = {"name": "level-ground", "plane": "ground", "region": "under", "counts": [[0, 0], [-1, -1]]}
    with pytest.raises(GameError, match="level ground needs a stage below"):
        declared(rules={"test": [form]})
    stage = {"board": ["...", "..."], "pieces": [{"kind": "bar", "shape": ["ld"], "count": 1}]}
    game = game_from_dict({"name": "two", "stages": [stage, stage | {"rules": {"test": [form]}}]})
    state = play(game.start(), "a1/b1")
    assert refusal(state, "b1/c1").text == "is forbidden by the rule level-ground"
    assert "a2/b2" in legal_texts(state)


@pytest.mark.parametrize(
    ("score", "form"),
    [
        ({"groups": 2}, {"ranks": [1, 2]}),
        ({"rule": "ranked", "adjacency": "king"}, {"ranks": [2, 2], "adjacency": "king"}),
        ({"rule": "omega"}, {"fold": "product"}),
        ({"rule": "product", "groups": 3}, {"ranks": [1, 3], "fold": "product"}),
        ({"rule": "squares"}, {"ranks": [1, 1], "value": "square", "term": "{n}²"}),
    ],
)
def test_a_score_can_be_stated_by_its_form(score: dict[str, Any], form: dict[str, Any]) -> None:
    built_in = declared(score=score).compiled.stages[0].score
    assert replace(declared(score=form).compiled.stages[0].score, rule=built_in.rule) == built_in


LONELY = """
name = "lonely"
tie = "draw"
board = ["....", "....", "x..o", "...."]
pieces = [{ kind = "domino", shape = ["ld"], count = 8 }]

[[rules.test]]
name = "few-neighbours"
plane = "covered"
region = "around"
adjacency = "king"
counts = [[0, 1], [4, 4]]
text = "has {cells} beside it, which is neither few nor four"

[score]
ranks = [1]
value = [3, 1, -2]

[[tiebreak]]
value = "one"

[[tiebreak]]
source = "symbols"
fold = "sum"
adjacency = "none"
"""


def test_a_rule_and_a_score_that_nobody_built_in_are_played() -> None:
    game = game_from_toml(LONELY)
    state = play(game.start(), "a1/b1")
    assert refusal(state, "a2/b2").text == "has a1, b1 beside it, which is neither few nor four"
    state = play(state, "c2/d2")
    assert totals(state) == (6, 6), "single squares are worth 3 each"
    assert not state.is_over
    symbols = state.compiled_stage.tiebreak[1]
    assert [symbols.score(state.board, state.scoring_cells(c, symbols)) for c in Colour] == [1, 0]


def test_a_block_that_only_the_first_piece_must_not_fill_may_fill_later() -> None:
    test = {"name": "open", "plane": "after", "region": "each", "blocks": [2, 1], "counts": [[0, -2]]}
    game = declared(board=["..", ".."], rules={"test": [test | {"when": "first"}]})
    assert refusal(game.start(), "a1/b1").code == "open"
    state = play(game.start(), "a1/a2")
    assert set(legal_texts(state)) == {"b1/b2", "b2/b1"}
    assert [footprint.cells for footprint in state.live_footprints] == [0b1010]
    assert play(state, "b1/b2").is_over


def test_larger_groups_are_worth_the_last_value_of_the_list() -> None:
    score = declared(score={"value": [1, 5]}).compiled.stages[0].score
    assert score.value == (0, 1, *[5] * 11)


TEST: dict[str, Any] = {"name": "mine", "plane": "covered", "region": "under", "counts": [[0, 0]]}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": "Mine"}, r"name 'Mine': invalid \(expected at most 40 lower-case letters"),
        ({"plane": "moon"}, r"plane=moon: invalid \(expected one of piece, covered, after, kind, ground"),
        ({"plane": 3}, r"plane: invalid \(expected text"),
        ({"region": "beyond"}, r"region=beyond: invalid \(expected one of under, around, fixed, each"),
        (
            {"region": "around", "adjacency": "knight"},
            r"adjacency=knight: invalid \(expected one of edge, king",
        ),
        ({"region": "fixed"}, r"cells: missing \(expected a list"),
        ({"region": "fixed", "cells": ["z9"]}, "cells: z9 is not on the board"),
        ({"region": "each"}, r"sets: invalid \(expected 1 to 256 lists of cells, or blocks"),
        ({"region": "each", "sets": ["a1"]}, r"sets: invalid \(expected lists of cells"),
        ({"region": "each", "sets": [["a1"]] * 257}, r"sets: invalid \(expected 1 to 256"),
        ({"region": "each", "blocks": [2]}, r"blocks: invalid \(expected 2 integers"),
        ({"region": "each", "blocks": [0, 2]}, r"blocks: invalid \(expected a width and a height"),
        ({"counts": []}, r"counts: invalid \(expected ranges"),
        ({"counts": [[0]]}, r"counts: invalid \(expected 2 integers"),
        ({"counts": [[0, True]]}, r"counts: invalid \(expected 2 integers"),
        ({"when": "never"}, r"when=never: invalid \(expected one of always, first, later"),
        ({"text": "x" * 201}, r"text and word: invalid \(expected at most 200 characters"),
        ({"mark": "red"}, r"mark=red: invalid \(expected one of none, hits, misses, mask, piece"),
        ({"colour": "red"}, "test has no 'colour'"),
    ],
)
def test_a_garbled_test_says_what_is_wrong(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=message):
        declared(rules={"test": [TEST | changes]})


def test_a_sentence_may_be_as_long_as_allowed() -> None:
    game = declared(rules={"test": [TEST | {"text": "x" * 200, "word": "y" * 200}]})
    assert game.compiled.stages[0].tests[1].why.text == "x" * 200


@pytest.mark.parametrize("value", [TEST, "mine", ["mine"], [TEST] * 17])
def test_tests_are_a_list_of_tables(value: object) -> None:
    with pytest.raises(GameError, match=r"test: invalid \(expected a list of at most 16 tables"):
        declared(rules={"test": value})


@pytest.mark.parametrize(
    ("score", "message"),
    [
        ({"ranks": []}, r"ranks: invalid \(expected"),
        ({"ranks": [0, 1]}, r"ranks: invalid \(expected"),
        ({"ranks": [3, 2]}, r"ranks: invalid \(expected"),
        ({"ranks": ["all"]}, r"ranks: invalid \(expected"),
        ({"ranks": 2}, r"ranks: invalid \(expected"),
        ({"value": "cube"}, r"value: invalid \(expected one of one, size, square, or the points"),
        ({"value": []}, r"value: invalid \(expected"),
        ({"value": [1, 1_000_001]}, r"value: invalid \(expected"),
        ({"fold": "minus"}, r"fold=minus: invalid \(expected one of sum, product"),
        ({"fold": "sum", "source": "holes"}, r"source=holes: invalid \(expected one of squares, symbols"),
        ({"fold": "sum", "source": "symbols"}, "the first stage counts uncovered symbols"),
        (
            {"fold": "sum", "adjacency": "knight"},
            r"knight: invalid \(expected one of edge, king, none",
        ),
        ({"fold": "sum", "term": "size"}, r"term: invalid \(expected at most 20 characters with {n}"),
        ({"rule": "largest", "fold": "sum"}, "score has no 'fold'"),
    ],
)
def test_a_garbled_tally_says_what_is_wrong(score: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=message):
        declared(score=score)
