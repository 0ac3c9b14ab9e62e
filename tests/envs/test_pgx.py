"""The batched games keep the promises of pgx's interface, and play as `State` does."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

jax = pytest.importorskip("jax")
jnp = jax.numpy

from taiji.envs import pgx_v1  # noqa: E402
from taiji.rules import GameError  # noqa: E402
from tests.quick_compiling import quick_compiling  # noqa: E402

__all__ = ["quick_compiling"]

GAMES = 12


@pytest.fixture(scope="module")
def env() -> pgx_v1.TaijiEnv:
    return pgx_v1.make("battle-of-lits:size=5")


@pytest.fixture(scope="module")
def step(env: pgx_v1.TaijiEnv):
    return jax.jit(jax.vmap(env.step))


@pytest.fixture(scope="module")
def start(env: pgx_v1.TaijiEnv) -> pgx_v1.State:
    return jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(1), GAMES))


def test_random_games_end_as_those_of_the_rules(env, step, start) -> None:
    """The swap makes a player move as the other colour: players, seats and colours all differ."""
    (game,) = env.env.games
    states, batch = [game.start() for _ in range(GAMES)], start
    lights = np.asarray(batch.light_player).tolist()
    assert set(lights) == {0, 1}
    dice, total = np.random.default_rng(1), np.zeros((GAMES, 2))
    while not np.asarray(batch.terminated).all():
        masks, movers = np.asarray(batch.legal_action_mask), np.asarray(batch.current_player)
        actions = np.array([dice.choice(mask.nonzero()[0]) for mask in masks])
        for index, state in enumerate(states):
            if state.is_over:
                continue
            assert movers[index] == (lights[index] if state.seat_to_move == 0 else 1 - lights[index])
            number = int(env.env.game_actions[0][actions[index]])
            assert masks[index].sum() == len(state.legal())
            states[index] = state.play(game.move(number))
        batch = step(batch, jnp.asarray(actions))
        total += np.asarray(batch.rewards)
    for index, state in enumerate(states):
        winner = state.outcome().winner
        player = None if winner is None else lights[index] if winner == 0 else 1 - lights[index]
        expected = [0.0, 0.0] if player is None else [1.0 if p == player else -1.0 for p in (0, 1)]
        assert total[index].tolist() == expected


def test_a_finished_game_stays_and_allows_every_action(step, start) -> None:
    lost = step(start, jnp.full(GAMES, -1))
    movers = np.asarray(start.current_player)
    assert np.asarray(lost.terminated).all(), "an illegal action loses"
    assert np.asarray(lost.rewards)[np.arange(GAMES), movers].tolist() == [-1.0] * GAMES
    assert np.asarray(lost.rewards).sum() == 0
    assert np.asarray(lost.legal_action_mask).all()
    after = step(lost, jnp.zeros(GAMES, jnp.int32))
    assert not np.asarray(after.rewards).any()
    assert np.array_equal(after.step_count, lost.step_count)
    assert np.array_equal(after.position.kind, start.position.kind)


def test_actions_outside_the_space_are_illegal(env, step, start) -> None:
    assert np.asarray(step(start, jnp.full(GAMES, env.num_actions)).terminated).all()


def test_shapes_are_static_and_announced(env, start) -> None:
    assert start.observation.shape == (GAMES, *env.observation_shape)
    assert start.observation.dtype == np.float32
    assert start.legal_action_mask.shape == (GAMES, env.num_actions)
    assert start.rewards.shape == (GAMES, env.num_players)
    assert (env.id, env.version) == ("battle-of-lits:size=5", "v1")
    again = pickle.loads(pickle.dumps(env))
    assert (again.id, again.num_actions) == (env.id, env.num_actions)


def test_several_games_are_drawn_evenly() -> None:
    env = pgx_v1.make("taiji:size=3", "taiji:size=2")
    batch = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(5), 64))
    sizes = np.asarray(batch.position.board.sum(1))
    assert set(sizes.tolist()) == {4, 9}
    assert 16 <= (sizes == 4).sum() <= 48


def test_games_that_it_cannot_play_are_refused() -> None:
    with pytest.raises(GameError, match="batched does not support the rule stages"):
        pgx_v1.make("tailits+taiji")
    with pytest.raises(GameError, match="unknown game"):
        pgx_v1.make("go")
    with pytest.raises(GameError, match="at least one game"):
        pgx_v1.make()
    with pytest.raises(TypeError, match="game: expected a Game or its text, not int"):
        pgx_v1.make(5)
