"""Time the parts of training for a spec: `training_speed.py SPEC.toml [--sizes 2048 4096]`."""

import argparse
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp

from taiji.training.learner import learn, start
from taiji.training.net import fold_weights, init
from taiji.training.replay import append, create
from taiji.training.search import search
from taiji.training.selfplay import make_examples, play_chunk
from taiji.training.setup import build
from taiji.training.spec import read_spec


def timed(name, function, *values, repeat=5):
    began = time.perf_counter()
    result = jax.block_until_ready(function(*values))
    first = time.perf_counter() - began
    times = []
    for _ in range(repeat):
        began = time.perf_counter()
        result = jax.block_until_ready(function(*values))
        times.append(time.perf_counter() - began)
    best = sorted(times)[len(times) // 2] if times else first
    print(f"{name:36} first {first:7.2f} s   then {1e3 * best:9.3f} ms", flush=True)
    return result, best


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("spec", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=[2048])
    parser.add_argument("--pools", type=int, nargs="+", default=[0])
    parser.add_argument("--parts", nargs="+", default=["net", "env", "search", "chunk", "learn"])
    options = parser.parse_args()
    spec = read_spec(options.spec)
    began = time.perf_counter()
    setup = build(spec)
    sims = {"simulations": spec.search.simulations, "candidates": spec.search.candidates}
    print(f"tables {time.perf_counter() - began:.1f} s", flush=True)
    params = jax.jit(partial(init, setup.shape))(jax.random.key(0))
    for index in options.pools:
        pool, part = setup.pools[index], spec.pools[index]
        for size in options.sizes:
            keys = jax.random.split(jax.random.key(1), size)
            state, _ = timed(f"pool {index} of {size}: open", jax.jit(jax.vmap(pool.fresh)), keys)
            fixed = jax.jit(fold_weights)(params)
            if "net" in options.parts:
                judge = jax.jit(lambda f, s, p=pool: p.evaluator(f)(s))
                _, took = timed("  evaluate", judge, fixed, state)
                print(f"    {size / took:,.0f} evaluations/s")
            if "env" in options.parts:
                legal = jax.jit(jax.vmap(pool.env.legal))(state)
                move = jnp.argmax(legal, -1)
                timed("  step", jax.jit(jax.vmap(pool.env.step)), state, move)
                timed("  planes", jax.jit(jax.vmap(pool.observer.planes_of)), state)
                noise = jax.random.normal(jax.random.key(3), legal.shape)
                timed("  top of priors", jax.jit(partial(jax.lax.top_k, k=spec.search.candidates)), noise)
            if "search" in options.parts:

                def look(f, s, k, p=pool):
                    return search(p.env, p.evaluator(f), s, k, **sims)

                _, took = timed("  search", jax.jit(look), fixed, state, jax.random.key(2))
                print(f"    {size * spec.search.simulations / took:,.0f} evaluations/s")
            if "chunk" in options.parts:
                play = jax.jit(partial(play_chunk, pool, plies=part.plies, **sims))
                (_, chunk), took = timed("  chunk", play, params, state, jax.random.key(2), repeat=1)
                print(f"    {size * part.plies * (spec.search.simulations + 1) / took:,.0f} evaluations/s")
                if "learn" in options.parts:
                    weight = spec.run.search_value_weight
                    digest = jax.jit(
                        partial(make_examples, pool, side=setup.side, search_value_weight=weight)
                    )
                    examples, _ = timed("  examples", digest, chunk, chunk.ending)
                    replay = append(create(spec.run.capacity, examples), examples)
                    steps = partial(
                        learn,
                        observer=setup.observer,
                        shape=setup.shape,
                        learning=replace(spec.learning),
                        side=setup.side,
                        dtype=setup.dtype,
                        steps=spec.run.steps,
                    )
                    learner = start(params, spec.learning)
                    _, took = timed(
                        "  learn", jax.jit(steps), learner, replay, jax.random.key(1), 1e-3, repeat=2
                    )
                    print(f"    {1e3 * took / spec.run.steps:.2f} ms per step")


if __name__ == "__main__":
    main()
