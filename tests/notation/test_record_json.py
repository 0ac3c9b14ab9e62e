"""Records as JSON: the same content, and errors that name the place in the value."""

from __future__ import annotations

import json
from typing import Any

import pytest

from taiji.notation import NotationError, Record, parse_record, record_from_json, record_to_json
from tests.notation.games import TEXTS, game, random_game
from tests.notation.test_records import ANNOTATED


@pytest.mark.parametrize("text", TEXTS)
def test_a_random_game_round_trips(text: str) -> None:
    moves, states = random_game(text, 10)
    for record in (
        Record.of(game(text), moves, {"Light": "Ann"}),
        Record.of(game(text), moves[1:3], start=states[1]),
    ):
        assert record_from_json(json.loads(json.dumps(record_to_json(record)))) == record


def test_everything_that_can_be_said() -> None:
    record = parse_record(ANNOTATED)
    value = record_to_json(record)
    assert value["moves"][0] == {
        "move": "a1/a2",
        "nags": [1, 14],
        "comment": "a {quiet} start",
        "clock": 298.5,
        "eval": {"chance": 0.632, "margin": 1.5, "playouts": 12000},
        "variations": [
            {
                "moves": [
                    {"move": "b2/b3", "comment": "in the middle"},
                    {
                        "move": "b1/c1",
                        "variations": [
                            {"moves": [{"move": "c1/c2"}]},
                            {"comment": "or", "moves": [{"move": "c3/c2"}, {"move": "a1/a2"}]},
                        ],
                    },
                ]
            },
            {"moves": [{"move": "c1/c2", "nags": [6]}]},
        ],
    }
    assert record_from_json(json.loads(json.dumps(value))) == record


def test_bare_texts_will_do_for_moves() -> None:
    record = record_from_json({"game": "taiji:size=3", "moves": ["A1 A2", {"move": "b1,b2"}]})
    assert record.moves == ("a1/a2", "b1/b2")


def deep(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {"moves": ["a1/a2"]}
    for _ in range(levels):
        value = {"moves": [{"move": "a1/a2", "variations": [value]}]}
    return {"game": "taiji:size=3", **value}


GAME = {"game": "taiji:size=3"}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "the record: invalid (expected an object, not null"),
        ([], "the record: invalid (expected an object, not an array"),
        ({}, "game: unknown game ''"),
        ({"game": 3}, "game: invalid (expected a string, not a number"),
        ({"game": "chess"}, "game: unknown game 'chess'"),
        ({**GAME, "tags": []}, "tags: invalid (expected an object, not an array"),
        ({**GAME, "tags": {"Light": 1}}, "tags: invalid (expected strings as names and values"),
        ({**GAME, "moves": "a1/a2"}, "moves: invalid (expected an array, not a string"),
        ({**GAME, "moves": [7]}, "moves[0]: invalid (expected an object, not a number"),
        ({**GAME, "moves": [{}]}, "moves[0]: invalid move ''"),
        ({**GAME, "moves": ["a1/a2", "a1/a2"]}, "ply 2: a1/a2: a1 is already covered"),
        ({**GAME, "moves": [{"move": "a1/a2", "clock": "x"}]}, "moves[0].clock: invalid (expected a number"),
        ({**GAME, "moves": [{"move": "a1/a2", "clock": -1}]}, "moves[0]: clock -1"),
        ({**GAME, "moves": [{"move": "a1/a2", "clock": True}]}, "not a boolean"),
        ({**GAME, "moves": [{"move": "a1/a2", "nags": [1.5]}]}, "moves[0].nags: invalid (expected integers"),
        ({**GAME, "moves": [{"move": "a1/a2", "eval": {}}]}, "moves[0].eval: empty evaluation"),
        (
            {**GAME, "moves": [{"move": "a1/a2", "eval": {"playouts": 0.5}}]},
            "playouts: invalid (expected an integer",
        ),
        ({**GAME, "moves": [{"move": "a1/a2", "eval": {"chance": 2}}]}, "moves[0].eval: win probability 2"),
        (
            {**GAME, "moves": [{"move": "a1/a2", "variations": [{"moves": []}]}]},
            "moves[0].variations[0]: empty variation",
        ),
        ({**GAME, "result": "2-0"}, "unknown result '2-0'"),
        ({**GAME, "termination": "bored"}, "unknown termination 'bored'"),
        ({**GAME, "score": {"light": 1}}, "score: invalid (expected whole or half points"),
        ({**GAME, "score": {"light": 1, "dark": 0.3}}, "score: invalid (expected whole or half points"),
        (
            {**GAME, "score": {"light": 1, "dark": float("inf")}},
            "score: invalid (expected whole or half points",
        ),
        ({**GAME, "position": "tji1"}, "fields (expected 5"),
        ({**GAME, "position": "tji1 tailits - dark -"}, "the position belongs to tailits"),
        (deep(33), "variations nested too deep"),
        ({**GAME, "moves": ["a1/a2"] * 20_001}, "too many moves"),
    ],
)
def test_refused(value: object, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        record_from_json(value)
    assert message in str(caught.value)


def test_nested_as_deep_as_allowed() -> None:
    assert record_from_json(deep(32)).moves == ("a1/a2",)


def test_a_score_may_be_zero() -> None:
    record = record_from_json({**GAME, "score": {"light": 0, "dark": 0.5}})
    assert record.score == (0, 0.5)
