"""AlphaZero in a page: mctx plans, JAX learns TAIJI on 5×5 by self-play, wholly in batches.

It needs two packages besides: pip install mctx optax
Run it: python examples/train_mctx.py --iterations 40
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import mctx
import optax

from taiji.envs import pgx_v1
from taiji.envs.pgx_v1 import State, TaijiEnv

CHANNELS, BLOCKS = 32, 3
Params = dict[str, Any]


class Example(NamedTuple):
    """What the net learns from: [ply, game, …]."""

    observation: jax.Array
    policy: jax.Array
    legal: jax.Array
    value: jax.Array
    weight: jax.Array


def init_net(env: TaijiEnv, key: jax.Array) -> Params:
    """Draw the weights of a small convolutional net."""
    rows, columns, planes = env.observation_shape
    shapes = {"conv0": (3, 3, planes, CHANNELS)}
    shapes |= {f"conv{i}": (3, 3, CHANNELS, CHANNELS) for i in range(1, BLOCKS)}
    shapes |= {
        "policy": (rows * columns * CHANNELS, env.num_actions),
        "value": (rows * columns * CHANNELS, 1),
    }
    keys = jax.random.split(key, len(shapes))
    fan_in = {name: jnp.prod(jnp.array(shape[:-1])) for name, shape in shapes.items()}
    gain = {name: 2.0 if name.startswith("conv") else 0.01 for name in shapes}
    return {
        name: jax.random.normal(key, shape) * jnp.sqrt(gain[name] / fan_in[name])
        for key, (name, shape) in zip(keys, shapes.items(), strict=True)
    }


def evaluate(params: Params, seen: jax.Array, legal: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Return the logits of the actions and the value for the player to move."""
    for index in range(BLOCKS):
        seen = jax.lax.conv_general_dilated(
            seen, params[f"conv{index}"], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
        )
        seen = jax.nn.relu(seen)
    flat = seen.reshape(seen.shape[0], -1)
    logits = jnp.where(legal, flat @ params["policy"], jnp.finfo(jnp.float32).min)
    return logits, jnp.tanh(flat @ params["value"])[:, 0]


def plan(env: TaijiEnv, params: Params, state: State, key: jax.Array, simulations: int) -> Any:
    """Search each game of the batch with mctx."""

    def recurrent(params: Params, _: jax.Array, action: jax.Array, before: State) -> Any:
        after = jax.vmap(env.step)(before, action)
        logits, value = evaluate(params, after.observation, after.legal_action_mask)
        mover = before.current_player[:, None]
        reward = jnp.take_along_axis(after.rewards, mover, 1)[:, 0]
        same = after.current_player == before.current_player
        discount = jnp.where(after.terminated, 0.0, jnp.where(same, 1.0, -1.0))
        value = jnp.where(after.terminated, 0.0, value)
        output = mctx.RecurrentFnOutput(reward=reward, discount=discount, prior_logits=logits, value=value)
        return output, after

    logits, value = evaluate(params, state.observation, state.legal_action_mask)
    return mctx.gumbel_muzero_policy(
        params,
        key,
        mctx.RootFnOutput(prior_logits=logits, value=value, embedding=state),
        recurrent,
        num_simulations=simulations,
        invalid_actions=~state.legal_action_mask,
        qtransform=partial(mctx.qtransform_completed_by_mix_value, value_scale=0.5, rescale_values=False),
    )


def self_play(
    env: TaijiEnv, games: int, plies: int, simulations: int, params: Params, key: jax.Array
) -> Example:
    """Play a batch of games to their ends; every position learns the result."""

    def ply(state: State, key: jax.Array) -> tuple[State, tuple[Any, ...]]:
        planned = plan(env, params, state, key, simulations)
        after = jax.vmap(env.step)(state, planned.action)
        seen = (state.observation, planned.action_weights, state.legal_action_mask)
        return after, (*seen, state.current_player, ~state.terminated, after.rewards)

    keys = jax.random.split(key, plies + 1)
    start = jax.vmap(env.init)(jax.random.split(keys[0], games))
    _, (seen, policy, legal, mover, running, rewards) = jax.lax.scan(ply, start, keys[1:])
    value = jnp.take_along_axis(rewards.sum(0)[None], mover[:, :, None], 2)[:, :, 0]
    return Example(seen, policy, legal, value, running.astype(jnp.float32))


def loss(params: Params, batch: Example) -> jax.Array:
    """Return the cross entropy of the policy plus the squared error of the value."""
    logits, value = evaluate(params, batch.observation, batch.legal)
    policy = optax.softmax_cross_entropy(logits, batch.policy)
    return (batch.weight * (policy + (value - batch.value) ** 2)).sum() / batch.weight.sum()


def win_rate(env: TaijiEnv, games: int, plies: int, params: Params, key: jax.Array) -> jax.Array:
    """Return how often the bare net, without search, beats random moves as player 0."""

    def ply(state: State, key: jax.Array) -> tuple[State, jax.Array]:
        logits, _ = evaluate(params, state.observation, state.legal_action_mask)
        chance = jax.random.categorical(key, jnp.where(state.legal_action_mask, 0.0, -jnp.inf))
        action = jnp.where(state.current_player == 0, logits.argmax(1), chance)
        after = jax.vmap(env.step)(state, action)
        return after, after.rewards[:, 0]

    keys = jax.random.split(key, plies + 1)
    start = jax.vmap(env.init)(jax.random.split(keys[0], games))
    return (jax.lax.scan(ply, start, keys[1:])[1].sum(0) > 0).mean()


def main(arguments: Sequence[str] | None = None) -> tuple[float, float]:
    """Train, and return the win rates before and after."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="taiji:size=5")
    parser.add_argument("--iterations", type=int, default=40)
    parser.add_argument("--games", type=int, default=128, help="games per iteration")
    parser.add_argument("--simulations", type=int, default=16)
    parser.add_argument("--trials", type=int, default=1000, help="games to measure with")
    options = parser.parse_args(arguments)
    env = pgx_v1.make(options.game)
    plies = env.env.cells // 2 + 1
    params, key = init_net(env, jax.random.key(1)), jax.random.key(2)
    optimizer = optax.adam(1e-3)
    play = jax.jit(partial(self_play, env, options.games, plies, options.simulations))
    measure = jax.jit(partial(win_rate, env, options.trials, plies))

    @jax.jit
    def learn(
        params: Params, moments: Any, examples: Example, key: jax.Array
    ) -> tuple[Params, Any, jax.Array]:
        flat = jax.tree.map(lambda part: part.reshape(-1, *part.shape[2:]), examples)
        order = jax.random.permutation(key, flat.weight.shape[0]).reshape(8, -1)

        def update(carry: tuple[Params, Any], rows: jax.Array) -> tuple[tuple[Params, Any], jax.Array]:
            params, moments = carry
            value, slope = jax.value_and_grad(loss)(params, jax.tree.map(lambda part: part[rows], flat))
            change, moments = optimizer.update(slope, moments, params)
            return (optax.apply_updates(params, change), moments), value

        (params, moments), losses = jax.lax.scan(update, (params, moments), order)
        return params, moments, losses.mean()

    moments, began = optimizer.init(params), time.monotonic()
    before = float(measure(params, jax.random.key(3)))
    for iteration in range(options.iterations):
        key, playing, learning = jax.random.split(key, 3)
        params, moments, value = learn(params, moments, play(params, playing), learning)
        if iteration % 10 == 9:
            print(
                f"{iteration + 1} iterations, {time.monotonic() - began:.0f} s: loss {value:.2f}", flush=True
            )
    after = float(measure(params, jax.random.key(3)))
    print(
        f"{options.game}, {options.trials} games against chance: {before:.0%} won before, {after:.0%} after"
    )
    return before, after


if __name__ == "__main__":
    main()
