"""Environments copy and pickle: in the same process, and into a pool of others."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor

import gymnasium
import numpy as np
import pytest

from taiji.envs import gymnasium_v1, taiji_v1
from taiji.kernel import get_kernel
from taiji.rules import parse_game
from tests.envs.values import GAMES
from tests.rules.test_custom import declared

COPIES: dict[str, Callable] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}
copied = pytest.mark.parametrize("clone", COPIES.values(), ids=COPIES)


def play_out(env: gymnasium.Env, seed: int) -> list:
    """Play any legal actions to the end; return what was seen."""
    dice, seen, over = np.random.default_rng(seed), [], False
    while not over:
        action = dice.choice(env.unwrapped.action_masks().nonzero()[0])
        planes, reward, over, _, info = env.step(action)
        seen.append((planes.tobytes(), reward, tuple(info["answers"])))
    return seen


def play_out_both(env: taiji_v1.raw_env, seed: int) -> list:
    dice, seen = np.random.default_rng(seed), []
    for agent in env.agent_iter():
        view, reward, over, _, _ = env.last()
        seen.append((agent, view["observation"].tobytes(), reward))
        env.step(None if over else dice.choice(view["action_mask"].nonzero()[0]))
    return seen


@copied
@pytest.mark.parametrize("name", GAMES)
def test_copies_continue_as_the_original(name: str, clone: Callable) -> None:
    env = gymnasium.make(gymnasium_v1.env_id(name), seat="either")
    env.reset(seed=3)
    env.step(env.unwrapped.position.legal()[0])
    both = taiji_v1.env(name)
    both.reset()
    both.step(both.position.legal()[0])
    copies = clone(env), clone(both)
    assert play_out(copies[0], 7) == play_out(env, 7)
    assert play_out_both(copies[1], 7) == play_out_both(both, 7)


@copied
@pytest.mark.parametrize("opponent", ["greedy", "level:1", "mcts", "neural"])
def test_opponents_are_copied(opponent: str, clone: Callable) -> None:
    settings = {"game": "taiji:size=4", "opponent": opponent, "playouts": 20}
    env = gymnasium.make("taiji/taiji-v1", **settings)
    env.reset(seed=3)
    again = clone(env)
    assert play_out(again, 7) == play_out(env, 7)
    assert env.reset(seed=5)[0].tobytes() == again.reset(seed=5)[0].tobytes()
    env.close()
    play_out(again, 7)
    again.close()


@copied
def test_a_position_that_was_set_up_is_copied(clone: Callable) -> None:
    """Its pieces are known, but not the order in which they were placed."""
    state, dice = parse_game("tailits").start(), np.random.default_rng(2)
    for _ in range(8):
        state = state.play(state.legal()[dice.integers(len(state.legal()))])
    position = get_kernel(state.game).position_from_state(state)
    again = clone(position)
    assert (again.hash, again.legal(), again.history) == (position.hash, position.legal(), position.history)
    env = taiji_v1.env("tailits", render_mode="ansi")
    env.reset(options={"position": env.adapter.position_text(position)})
    assert clone(env).adapter.state(env.position) == state
    assert clone(env).render() == env.render()


def rewards_of_a_copy(env: gymnasium.Env) -> list:
    return play_out(env, 7)


def test_a_pool_of_processes_plays_a_custom_game() -> None:
    """The game is not registered there, and hashes of texts differ between processes."""
    env = gymnasium.make("taiji/taiji-v1", game=declared(), opponent="greedy")
    env.reset(seed=1)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(rewards_of_a_copy, env).result() == play_out(env, 7)


def test_the_batched_environment_is_copied() -> None:
    pytest.importorskip("jax")
    from taiji.envs.batched import BatchedEnv

    env = BatchedEnv([parse_game("taiji:size=4"), parse_game("taiji:size=3")])
    for clone in COPIES.values():
        again = clone(env)
        assert (again.games, again.actions) == (env.games, env.actions)
        assert np.array_equal(again.game_actions, env.game_actions)
