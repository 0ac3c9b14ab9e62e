"""The kernel is the Python state, only faster: ten thousand random games over all games and options."""

from __future__ import annotations

import os
import random
from itertools import product

import pytest

from taiji.kernel import Kernel
from taiji.rules import Game, parse_game
from tests.kernel.custom import custom_games
from tests.kernel.helpers import play_side_by_side
from tests.rules.plans import BOARD_4, BOARD_5, BOARD_6

SOAK = 20 if os.environ.get("TAIJI_SOAK") else 1
SCORES = ("sum", "omega", "squares", "product")


def _taiji() -> dict[str, int]:
    options = [
        f"groups={groups},score={score},diagonal={diagonal}"
        for groups, score, diagonal in product((1, 2, 3), SCORES, ("no", "yes"))
        if groups == 1 or score != "omega"
    ]
    plans = {
        f"taiji:size={size},{option}": {2: 20, 3: 110, 4: 100, 5: 60}[size]
        for size in (2, 3, 4, 5)
        for option in options
    }
    return (
        plans
        | {"taiji:size=6": 150, "taiji:size=7": 150, "taiji:size=7,score=omega": 100, "taiji:size=8": 100}
        | {
            "taiji": 150,
            "taiji:size=10,diagonal=yes": 40,
            "taiji:size=11": 60,
            "taiji:size=11,diagonal=yes,score=product": 20,
        }
    )


def _lits() -> dict[str, int]:
    tailits = {
        f"tailits:score={score},set={pieces}": 40
        for score, pieces in product(("largest", "second"), ("six", "free"))
    }
    drawn = {
        f"battle-of-lits:symbols={rows},swap={swap}": 300
        for rows, swap in product((BOARD_4, BOARD_5, BOARD_6), ("yes", "no"))
    }
    seeded = {"battle-of-lits": 50, "battle-of-lits:swap=no": 30, "battle-of-lits:board=77,size=8": 60}
    return tailits | drawn | seeded


def _doubles() -> dict[str, int]:
    on_tailits = {
        f"tailits+taiji:score={score},groups={groups}": 16
        for score, groups in product(("largest", "second"), (1, 2, 3))
    }
    on_taiji = {
        f"taiji+battle-of-lits:size={size},groups={groups}": 80
        for size, groups in product((2, 3, 4, 5), (1, 2, 3))
    }
    return on_tailits | on_taiji | {"taiji+battle-of-lits": 30, "taiji+battle-of-lits:size=7": 40}


PLANS = {"taiji": _taiji(), "lits": _lits(), "doubles": _doubles()}
CUSTOM = 120


def _compare(game: Game, games: int, seed: int) -> int:
    kernel, rng = Kernel(game), random.Random(seed)
    for number in range(games):
        # Scores before the end are compared in one game of eight: flooding in Python is what costs.
        play_side_by_side(game, kernel, rng, every_score=number % 8 == 0)
    return games


@pytest.mark.parametrize("family", PLANS)
def test_equal_to_the_state(family: str) -> None:
    for seed, (text, games) in enumerate(PLANS[family].items()):
        _compare(parse_game(text), games * SOAK, seed)


@pytest.mark.parametrize("game", custom_games(), ids=str)
def test_equal_to_the_state_in_games_of_ones_own(game: Game) -> None:
    _compare(game, CUSTOM * SOAK, 7)


def test_there_are_ten_thousand_games() -> None:
    assert sum(sum(plan.values()) for plan in PLANS.values()) + CUSTOM * len(custom_games()) >= 10_000


def test_positions_carry_over_from_states() -> None:
    for game in [parse_game(text) for text in ("taiji+battle-of-lits:size=5", "tailits", "battle-of-lits")]:
        kernel, rng = Kernel(game), random.Random(3)
        state = game.start()
        played = kernel.start()
        while not state.is_over:
            restored = kernel.position_from_state(state)
            assert restored.legal() == played.legal()
            assert restored.hash == played.hash
            assert restored.seat_to_move is played.seat_to_move
            assert restored.core.last_seat == played.core.last_seat
            move = rng.choice(state.legal())
            state = state.play(move)
            played.play(move.action)


def test_a_position_of_another_game_is_refused() -> None:
    with pytest.raises(ValueError, match="belongs to"):
        Kernel(parse_game("taiji")).position_from_state(parse_game("tailits").start())
