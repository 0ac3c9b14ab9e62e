"""Generated rules: the kernel plays them as `State` does and refuses by name what it cannot represent.

By default 300 games; `make soak` sets TAIJI_SOAK=1 and plays 50,000.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from taiji.kernel import Kernel
from taiji.kernel.compile import MAX_SCORE_BITS
from taiji.rules import Game, GroupProduct, Unsupported, parse_game
from tests.generated_rules import random_game
from tests.kernel.helpers import play_side_by_side
from tests.rules.test_invented_rules import INVENTED

SHARDS = 10
GAMES_PER_SHARD = 5_000 if os.environ.get("TAIJI_SOAK") == "1" else 30


def kernels(dice: Random, count: int) -> Iterator[tuple[Game, Kernel]]:
    """Yield generated games with their kernels; at most 1 % may be refused, for large scores."""
    refused = 0
    for _ in range(count):
        game = random_game(dice)
        try:
            kernel = Kernel(game)
        except Unsupported as error:
            assert error.detail.endswith(f"bits, more than {MAX_SCORE_BITS}"), error  # noqa: PT017
            refused += 1
        else:
            yield game, kernel
    assert refused <= count // 100


@pytest.mark.parametrize("shard", range(SHARDS))
def test_generated_games_are_played_as_by_the_state(shard: int) -> None:
    dice = Random(shard)
    for game, kernel in kernels(dice, GAMES_PER_SHARD):
        play_side_by_side(game, kernel, dice)


@pytest.mark.parametrize("shard", range(SHARDS))
def test_positions_of_generated_games_carry_over(shard: int) -> None:
    """A position is the same whether it is reached by its moves or set up from a state."""
    dice = Random(1000 + shard)
    for game, kernel in kernels(dice, GAMES_PER_SHARD // 3):
        state, played = game.start(), kernel.start()
        while not state.is_over:
            restored = kernel.position_from_state(state)
            assert restored.legal() == played.legal()
            assert restored.hash == played.hash
            assert restored.scores() == played.scores()
            assert restored.seat_to_move is played.seat_to_move
            assert restored.core.last_seat == played.core.last_seat
            move = dice.choice(state.legal())
            state = state.play(move)
            played.play(move.action)


def test_random_playouts_of_generated_games_are_games() -> None:
    dice = Random(7)
    for _ in range(40):
        game = random_game(dice)
        for seed in range(3):
            state = game.start()
            for action in Kernel(game).start().random_game(seed):
                state = state.play(game.move(action))
            assert not [move for move in state.legal() if move is not game.swap]


@pytest.mark.parametrize(
    ("game", "rule", "part"), INVENTED, ids=lambda value: value if isinstance(value, str) else ""
)
def test_an_invented_part_is_refused_by_name(game: Game, rule: str, part: str) -> None:
    with pytest.raises(Unsupported) as error:
        Kernel(game)
    assert (error.value.engine, error.value.rule) == ("kernel", rule)
    assert error.value.detail.startswith(part)


def test_scores_that_may_overflow_are_refused() -> None:
    game = parse_game("taiji:size=11")
    stage = replace(game.stages[0], scoring=GroupProduct(None))
    assert Kernel(replace(game, stages=(stage,))).start().legal()
    tall = replace(stage.scoring.lower(stage.board, None), value=(0, *(10**6 * n for n in range(1, 122))))

    class Tall(GroupProduct):
        def lower(self, board, source):  # type: ignore[no-untyped-def]
            return tall

    with pytest.raises(Unsupported, match=f"more than {MAX_SCORE_BITS}"):
        Kernel(replace(game, stages=(replace(stage, scoring=Tall(None)),)))
