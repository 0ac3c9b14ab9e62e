"""Measure random stepping of the batched environment, scored at each step: `batched_env.py GAME`."""

import argparse
import json
import time
from functools import partial

import jax
import jax.numpy as jnp

from taiji.envs.batched import BatchedEnv
from taiji.rules import parse_game


def measure(text: str, games: int, steps: int) -> dict[str, object]:
    env = BatchedEnv(parse_game(text))
    start = jax.vmap(env.reset)(jnp.zeros(games, jnp.int32))

    def step(carry, index):
        state, seed, total = carry
        seed = seed * jnp.uint32(747796405) + jnp.uint32(2891336453) + index.astype(jnp.uint32)
        legal = jax.vmap(env.legal)(state)
        state = jax.vmap(env.step)(state, jax.vmap(env.random_action)(seed, legal))
        total += jax.vmap(env.scores)(state).sum(1).astype(total.dtype)

        def renew(new, old):
            return jnp.where(state.done.reshape(-1, *[1] * (old.ndim - 1)), new, old)

        return (jax.tree.map(renew, start, state), seed, total), state.done.sum()

    @partial(jax.jit, donate_argnums=0)
    def run(carry):
        return jax.lax.scan(step, carry, jnp.arange(steps))

    seed = jax.random.bits(jax.random.key(1), (games,))
    began = time.perf_counter()
    carry, _ = run((jax.tree.map(jnp.copy, start), seed, jnp.zeros(games, jnp.uint32)))
    jax.block_until_ready(carry)
    compiled = time.perf_counter() - began
    times = []
    ended = 0
    for _ in range(3):
        began = time.perf_counter()
        carry, done = run(carry)
        ended += int(done.sum())
        times.append(time.perf_counter() - began)
    best = sorted(times)[1]
    return {
        "game": text,
        "device": str(jax.devices()[0].device_kind),
        "games": games,
        "steps_per_s": round(games * steps / best),
        "plies_per_game": round(3 * games * steps / max(ended, 1), 2),
        "first_call_s": round(compiled, 1),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="taiji:size=11")
    parser.add_argument("--games", type=int, nargs="+", default=[4096, 16384, 65536])
    parser.add_argument("--steps", type=int, default=200)
    options = parser.parse_args()
    for count in options.games:
        print(json.dumps(measure(options.game, count, options.steps)), flush=True)
