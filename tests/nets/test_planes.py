"""A net sees the same from a `State` as in training, and its policy speaks of the same moves."""

from __future__ import annotations

import random
from dataclasses import replace
from math import log2

import numpy as np
import pytest

jax = pytest.importorskip("jax")
jnp = jax.numpy

from tests.quick_compiling import quick_compiling  # noqa: E402

from taiji.envs.batched import BatchedEnv  # noqa: E402
from taiji.envs.batched_observe import Observer  # noqa: E402
from taiji.nets.planes import Encoder, margin  # noqa: E402
from taiji.rules import Colour, GameError, parse_game  # noqa: E402

__all__ = ["quick_compiling"]

FAMILIES = (
    ("taiji:size=6", "taiji:size=5,groups=2", "taiji:size=6,score=omega"),
    ("tailits:score=second", "tailits"),
    ("battle-of-lits:board=4", "battle-of-lits:size=8"),
)


@pytest.mark.parametrize("texts", FAMILIES)
def test_the_encoder_sees_what_training_saw(texts: tuple[str, ...]) -> None:
    games = [parse_game(text) for text in texts]
    env = BatchedEnv(games)
    observer = Observer(env)
    step = jax.jit(env.step)

    @jax.jit
    def see(batch):
        moved = observer.swap_colours(batch, jnp.arange(env.actions, dtype=jnp.float32))
        return observer.encode_planes(batch), observer.encode_globals(batch), moved

    for index, game in enumerate(games):
        encoder = Encoder(game, observer.rules)
        side = game.stages[0].board.width
        action_of = {
            int(number): action for action, number in enumerate(env.game_actions[index]) if number >= 0
        }
        state, batch, draw = game.start(), env.reset(jnp.int32(index)), random.Random(index)
        while not state.is_over:
            planes, features, moved = map(np.asarray, see(batch))
            grid = planes.reshape(len(planes), env.tables.height, env.tables.width)[:, :side, :side]
            seen = encoder.encode(state)
            assert np.array_equal(seen[0], grid)
            assert np.allclose(seen[1], features, atol=1e-5)
            move = draw.choice(state.legal())
            there = int(moved[action_of[move.action]])
            if move is game.swap:
                assert encoder.policy_index(state, move) == encoder.policy * side * side
            else:
                plane, cell = divmod(there, env.cells)
                row, column = divmod(cell, env.tables.width)
                assert encoder.policy_index(state, move) == (plane * side + row) * side + column
            batch, state = step(batch, jnp.int32(action_of[move.action])), state.play(move)


def test_exchanged_colours_look_the_same() -> None:
    """After a symmetric pair of moves both movers see the same policy places for the exchanged pieces."""
    game = parse_game("taiji:size=5")
    encoder = Encoder(game, [(game.stages[0].scoring, game.stages[0].tiebreak)])
    for placement in game.placements:
        twin = game.placement(0, placement.cells, placement.dark, placement.light)
        assert twin is not None
        assert encoder.index[Colour.LIGHT][placement.action] == encoder.index[Colour.DARK][twin.action]


def test_the_places_of_a_policy_are_all_different() -> None:
    for text in ("taiji:size=5", "tailits", "battle-of-lits"):
        game = parse_game(text)
        index = Encoder(game, [(game.stages[0].scoring, game.stages[0].tiebreak)]).index
        assert min(min(row) for row in index) >= 0
        assert all(len(set(row)) == game.action_count for row in index)


def test_a_rule_that_the_net_never_saw_is_refused() -> None:
    game, other = parse_game("taiji:size=5"), parse_game("taiji:size=5,score=omega")
    with pytest.raises(GameError, match="does not support this scoring"):
        Encoder(other, [(game.stages[0].scoring, game.stages[0].tiebreak)])


def test_margins_of_products_are_ratios() -> None:
    product = parse_game("taiji:size=5,score=omega").stages[0].tallies[0]
    assert margin(product, 7, 3, log2) == pytest.approx(4)
    assert margin(parse_game("taiji").stages[0].tallies[0], 7, 3, log2) == 4
    penalties = replace(product, value=(0, 1, -1))
    assert margin(penalties, -2, 3, log2) == -5, "scores below 0 have no ratio"
