"""The compiled programs of a run, compiled in parallel on all cores."""

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
    """The device programs of one pool."""

    play: dict[int, Program]
    """By the number of simulations; empty if the games are played remotely."""
    digest: Program
    add: Program
    gate_match: Program


@dataclass(frozen=True)
class CompiledPrograms:
    """The device programs of a run."""

    pools: tuple[PoolPrograms, ...]
    learn: Program


def opening_program(pool: GamePool) -> Program:
    """Return the program that opens one game per key."""
    return jax.vmap(pool.open_game)


def play_program(spec: TrainingSpec, pool: GamePool, index: int, simulations: int) -> Program:
    """Return the program that plays one chunk of a pool's games."""
    return partial(
        play_chunk,
        pool,
        plies=spec.pools[index].plies,
        candidates=spec.search.candidates,
        simulations=simulations,
        value_scale=spec.search.value_scale,
    )


def compile_all(spec: TrainingSpec, setup: TrainingSetup, *, plays_locally: bool = True) -> CompiledPrograms:
    """Compile all programs of a spec, without self-play if the games are played remotely."""
    run, search = spec.run, spec.search
    key = jax.eval_shape(lambda: jax.random.key(0))
    params = jax.eval_shape(partial(init, setup.shape), key)
    simulations = {search.simulations, search.late_simulations or search.simulations}
    with ThreadPoolExecutor(max(2, os.cpu_count() or 2)) as workers:

        def compiled(function: Program, *inputs: Any, donate: tuple[int, ...] = ()) -> Future[Program]:
            program = jax.jit(function, donate_argnums=donate)
            return workers.submit(lambda: program.lower(*inputs).compile())

        waiting = []
        replay: Any = None
        for index, (pool, part) in enumerate(zip(setup.pools, spec.pools, strict=True)):
            keys = jax.eval_shape(lambda size=part.size: jax.random.split(jax.random.key(0), size))
            state = jax.eval_shape(opening_program(pool), keys)
            plays = {count: play_program(spec, pool, index, count) for count in simulations}
            _, chunk = jax.eval_shape(plays[search.simulations], params, state, key)
            weight = run.search_value_weight
            digest = partial(make_examples, pool, side=setup.side, search_value_weight=weight)
            examples = jax.eval_shape(digest, chunk, chunk.ending)
            replay = jax.eval_shape(partial(create, run.capacity), examples)
            gate_match = partial(
                play_gate_match, pool, pairs=run.gate_pairs, opening_plies=run.gate_opening_plies
            )
            waiting.append(
                (
                    {
                        count: compiled(play, params, state, key, donate=(1,))
                        for count, play in plays.items()
                        if plays_locally
                    },
                    compiled(digest, chunk, chunk.ending),
                    compiled(append, replay, examples, donate=(0,)),
                    compiled(gate_match, params, params, key),
                )
            )
        learner = jax.eval_shape(partial(start, learning=spec.learning), params)
        steps = partial(
            learn,
            observer=setup.observer,
            shape=setup.shape,
            learning=spec.learning,
            side=setup.side,
            dtype=setup.dtype,
            steps=run.steps,
        )
        learning = compiled(steps, learner, replay, key, jax.eval_shape(lambda: jnp.float32(0)))
        pools = tuple(
            PoolPrograms(
                {n: play.result() for n, play in plays.items()},
                digest.result(),
                add.result(),
                gate_match.result(),
            )
            for plays, digest, add, gate_match in waiting
        )
        return CompiledPrograms(pools, learning.result())
