"""The compiled programs of a run, all compiled at once on as many cores as there are."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

from taiji.training.gate import duel
from taiji.training.learn import learn, start
from taiji.training.net import init
from taiji.training.pool import Pool
from taiji.training.replay import added, empty
from taiji.training.selfplay import examples, play_chunk
from taiji.training.setup import Setup
from taiji.training.spec import Spec

Program = Callable[..., Any]


@dataclass(frozen=True)
class PoolPrograms:
    """What one pool runs on the device."""

    play: dict[int, Program]
    """By the number of simulations; empty where games are played elsewhere."""
    digest: Program
    add: Program
    duel: Program


@dataclass(frozen=True)
class Programs:
    """What a run runs on the device."""

    pools: tuple[PoolPrograms, ...]
    learn: Program


def opening(pool: Pool) -> Program:
    """Return what opens games, a key each."""
    return jax.vmap(pool.fresh)


def playing(spec: Spec, pool: Pool, index: int, simulations: int) -> Program:
    """Return what plays the games of a pool on by one chunk."""
    return partial(
        play_chunk,
        pool,
        plies=spec.pools[index].plies,
        candidates=spec.search.candidates,
        simulations=simulations,
        trust=spec.search.trust,
    )


def compile_all(spec: Spec, setup: Setup, *, plays_here: bool = True) -> Programs:
    """Compile everything that the spec needs; not the search, where games are played elsewhere."""
    run, search = spec.run, spec.search
    key = jax.eval_shape(lambda: jax.random.key(0))
    params = jax.eval_shape(partial(init, setup.shape), key)
    simulations = {search.simulations, search.late_simulations or search.simulations}
    with ThreadPoolExecutor(max(2, os.cpu_count() or 2)) as workers:

        def compiled(function: Program, *inputs: Any, donate: tuple[int, ...] = ()) -> Future[Program]:
            program = jax.jit(function, donate_argnums=donate)
            return workers.submit(lambda: program.lower(*inputs).compile())

        waiting = []
        ring: Any = None
        for index, (pool, part) in enumerate(zip(setup.pools, spec.pools, strict=True)):
            keys = jax.eval_shape(lambda size=part.size: jax.random.split(jax.random.key(0), size))
            state = jax.eval_shape(opening(pool), keys)
            plays = {count: playing(spec, pool, index, count) for count in simulations}
            _, chunk = jax.eval_shape(plays[search.simulations], params, state, key)
            digest = partial(examples, pool, side=setup.side, search_share=run.search_share)
            found = jax.eval_shape(digest, chunk, chunk.ending)
            ring = jax.eval_shape(partial(empty, run.capacity), found)
            fight = partial(duel, pool, pairs=run.gate_pairs, openers=run.gate_openers)
            waiting.append(
                (
                    {
                        count: compiled(play, params, state, key, donate=(1,))
                        for count, play in plays.items()
                        if plays_here
                    },
                    compiled(digest, chunk, chunk.ending),
                    compiled(added, ring, found, donate=(0,)),
                    compiled(fight, params, params, key),
                )
            )
        learner = jax.eval_shape(start, params)
        steps = partial(
            learn,
            observer=setup.observer,
            shape=setup.shape,
            learning=spec.learning,
            side=setup.side,
            dtype=setup.dtype,
            steps=run.steps,
        )
        learning = compiled(steps, learner, ring, key, jax.eval_shape(lambda: jnp.float32(0)))
        pools = tuple(
            PoolPrograms(
                {n: play.result() for n, play in plays.items()},
                digest.result(),
                add.result(),
                fight.result(),
            )
            for plays, digest, add, fight in waiting
        )
        return Programs(pools, learning.result())
