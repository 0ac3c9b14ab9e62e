"""The compiled form and its JSON: a player that reads only the JSON agrees with `State` at every ply."""

from __future__ import annotations

import json
import random

import pytest

from taiji.rules import Game, Placement, game_from_dict, game_from_toml, parse_game
from taiji.rules.program_json import FORMAT, layout_to_json, program_to_json
from tests.rules.json_player import JsonGame, Refusal
from tests.rules.plans import BOARD_5
from tests.rules.test_custom import RING, TOWER

GAMES: list[Game] = [
    *map(
        parse_game,
        (
            "taiji:size=5",
            "taiji:size=4,score=omega",
            "taiji:size=6,groups=2,score=squares,diagonal=yes",
            "taiji:size=5,groups=3,score=product",
            "tailits",
            "tailits:score=second",
            f"battle-of-lits:symbols={BOARD_5}",
            "tailits+taiji",
            "taiji+battle-of-lits:size=5",
        ),
    ),
    game_from_toml(RING),
    game_from_dict(TOWER),
    game_from_dict(
        {
            "name": "bound",
            "board": ["x.o.x.", "......", "o.x.#o"],
            "pieces": [
                {"kind": "bar", "shape": [".."], "count": 4},
                {"kind": "bend", "shape": [". ", ".."], "count": 4},
            ],
            "rules": {
                "first-covers": "centre",
                "touch": True,
                "same-kind-apart": True,
                "no-full-block": [3, 2],
            },
            "score": {"rule": "uncovered"},
            "tiebreak": [{"rule": "largest", "adjacency": "king"}, {"rule": "omega"}],
            "swap": True,
        }
    ),
]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_player_of_the_json_agrees_with_the_state(game: Game) -> None:
    program = json.loads(json.dumps(program_to_json(game.compiled)))
    layouts = [layout_to_json(layout) for layout in game.layouts]
    for seed in range(3):
        dice = random.Random(f"{game} {seed}")
        state, other = game.start(), JsonGame(program, layouts)
        while True:
            assert {move.action for move in state.legal()} == other.actions()
            assert [2 * points for points in state.scores()] == other.half_points()
            for footprint in dice.sample(
                layouts[state.stage_index], min(60, len(layouts[state.stage_index]))
            ):
                move = game.move(footprint["action"])
                assert isinstance(move, Placement)
                reason = state.footprint_illegal_reason(move.footprint)
                told = None if reason is None else Refusal(reason.code, reason.cells, reason.kind)
                assert told == other.refusal(footprint)
            if state.is_over:
                break
            move = dice.choice(state.legal())
            state = state.play(move)
            other.play(move.action)
        outcome = state.outcome()
        assert outcome is not None
        assert outcome.winner == other.winner()


def test_the_json_is_small_and_says_its_format() -> None:
    text = json.dumps(program_to_json(parse_game("tailits").compiled), separators=(",", ":"))
    assert json.loads(text)["format"] == FORMAT
    assert len(text) < 4_500
