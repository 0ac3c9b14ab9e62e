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

from taiji.training.gate import play_gate_match
from taiji.training.learner import learn, start
from taiji.training.net import init
from taiji.training.pool import GamePool
from taiji.training.replay import append, create
from taiji.training.selfplay import make_examples, play_chunk
from taiji.training.setup import TrainingSetup
from taiji.training.spec import TrainingSpec

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
class CompiledPrograms:
    """What a run runs on the device."""

    pools: tuple[PoolPrograms, ...]
    learn: Program


def opening_program(pool: GamePool) -> Program:
    """Return what opens games, a key each."""
    return jax.vmap(pool.open_game)


def play_program(spec: TrainingSpec, pool: GamePool, index: int, simulations: int) -> Program:
    """Return what plays the games of a pool on by one chunk."""
    return partial(
        play_chunk,
        pool,
        plies=spec.pools[index].plies,
        candidates=spec.search.candidates,
        simulations=simulations,
        trust=spec.search.trust,
    )


def compile_all(spec: TrainingSpec, setup: TrainingSetup, *, plays_locally: bool = True) -> CompiledPrograms:
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
            state = jax.eval_shape(opening_program(pool), keys)
            plays = {count: play_program(spec, pool, index, count) for count in simulations}
            _, chunk = jax.eval_shape(plays[search.simulations], params, state, key)
            digest = partial(make_examples, pool, side=setup.side, search_share=run.search_share)
            found = jax.eval_shape(digest, chunk, chunk.ending)
            ring = jax.eval_shape(partial(create, run.capacity), found)
            fight = partial(play_gate_match, pool, pairs=run.gate_pairs, openers=run.gate_openers)
            waiting.append(
                (
                    {
                        count: compiled(play, params, state, key, donate=(1,))
                        for count, play in plays.items()
                        if plays_locally
                    },
                    compiled(digest, chunk, chunk.ending),
                    compiled(append, ring, found, donate=(0,)),
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
        return CompiledPrograms(pools, learning.result())
