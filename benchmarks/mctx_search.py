"""Compare our Gumbel search with mctx's, with a trivial evaluator: `mctx_search.py GAME GAMES`.

It needs `pip install mctx`, which is not a dependency of the project.
"""

import argparse
import time
from functools import partial

import jax
import jax.numpy as jnp
import mctx

from taiji.envs.batched import BatchedEnv
from taiji.rules import parse_game
from taiji.training.search import MASKED_LOGIT, search, terminal_value

SIMULATIONS, CANDIDATES = 32, 16


def make_evaluator(env):
    def evaluate(batch):
        legal = jax.vmap(env.legal)(batch)
        logits = jnp.sin(jnp.arange(legal.shape[1]) * 12.9898 + batch.placed[:, None])
        log_prior = jax.nn.log_softmax(jnp.where(legal, logits, MASKED_LOGIT), -1)
        return jnp.where(legal, log_prior, MASKED_LOGIT), 0.3 * jnp.sin(1.0 * batch.placed)

    return evaluate


def our_search(env, evaluate, batch, key):
    output = search(env, evaluate, batch, key, simulations=SIMULATIONS, candidates=CANDIDATES)
    return output.action, output.policy


def mctx_search(env, evaluate, batch, key):
    def step(_, key, action, before):
        after = jax.vmap(env.step)(before, action)
        prior, value = evaluate(after)
        result = jax.vmap(partial(terminal_value, env))(after)
        over = before.done | after.done
        return mctx.RecurrentFnOutput(
            reward=jnp.where(after.done & ~before.done, -result, 0.0),
            discount=jnp.where(over, 0.0, -1.0),
            prior_logits=prior,
            value=jnp.where(over, 0.0, value),
        ), after

    prior, value = evaluate(batch)
    output = mctx.gumbel_muzero_policy(
        params=(),
        rng_key=key,
        root=mctx.RootFnOutput(prior_logits=prior, value=value, embedding=batch),
        recurrent_fn=step,
        num_simulations=SIMULATIONS,
        invalid_actions=prior < MASKED_LOGIT / 2,
        max_num_considered_actions=CANDIDATES,
        qtransform=partial(mctx.qtransform_completed_by_mix_value, value_scale=0.5, rescale_values=False),
    )
    return output.action, output.action_weights


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="taiji:size=9")
    parser.add_argument("games", nargs="?", type=int, default=256)
    options = parser.parse_args()
    env = BatchedEnv(parse_game(options.game))
    evaluate = make_evaluator(env)
    batch = jax.jit(jax.vmap(env.reset))(jnp.zeros(options.games, jnp.int32))
    for name, function in (("ours", our_search), ("mctx", mctx_search)):
        program = jax.jit(partial(function, env, evaluate)).lower(batch, jax.random.key(1)).compile()
        times = []
        for seed in range(4):
            began = time.perf_counter()
            jax.block_until_ready(program(batch, jax.random.key(seed)))
            times.append(time.perf_counter() - began)
        memory = program.memory_analysis().temp_size_in_bytes / 2**20
        print(f"{name}: {min(times):.2f} s, {memory:.0f} MiB, {env.actions} actions", flush=True)


if __name__ == "__main__":
    main()
