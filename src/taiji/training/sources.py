"""Where self-play happens: in this process, or as tasks of a pool on other processes or machines."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol

import jax
import jax.numpy as jnp

from taiji.arena.pool import Pool
from taiji.envs.batched_state import BatchedState
from taiji.training.net import Params
from taiji.training.programs import Programs, opening
from taiji.training.selfplay import Chunk
from taiji.training.setup import Setup
from taiji.training.spec import Spec
from taiji.training.tasks import PlayTask, play_task

ELSEWHERE = 4
"""Marks the randomness of games that are played elsewhere; the trainer uses up to 3."""


class SelfPlay(Protocol):
    """Plays the games of each pool on by a chunk at a time, in one or more lanes that never mix."""

    def play(self, index: int, params: Params, simulations: int, key: jax.Array) -> Sequence[Chunk]:
        """Return the next chunk of every lane of a pool, always in the same order of lanes."""
        ...

    def close(self) -> None:
        """Play no more."""
        ...


class Here:
    """Plays in this process, on the device that also learns."""

    def __init__(self, spec: Spec, setup: Setup, programs: Programs) -> None:
        self._spec, self._setup, self._programs = spec, setup, programs
        self._states: list[BatchedState | None] = [None] * len(spec.pools)

    def play(self, index: int, params: Params, simulations: int, key: jax.Array) -> Sequence[Chunk]:
        """Play the one lane on."""
        state = self._states[index]
        if state is None:
            keys = jax.random.split(jax.random.fold_in(key, 0), self._spec.pools[index].size)
            state = jax.jit(opening(self._setup.pools[index]))(keys)
        play = self._programs.pools[index].play[simulations]
        self._states[index], chunk = play(params, state, jax.random.fold_in(key, 1))
        return [chunk]

    def close(self) -> None:
        """Do nothing."""


class Elsewhere:
    """Plays a lane for each worker of a pool; what a lost worker played is played again, exactly alike.

    A lane's games travel with its task, so that no worker keeps anything that could be lost with it. While
    the net learns from one round the workers play the next, with the weights from before that learning.
    """

    def __init__(self, spec: Spec, pool: Pool) -> None:
        self._spec, self._pool = spec, pool
        self._lanes = pool.workers
        self._states: list[list[Any]] = [[None] * self._lanes for _ in spec.pools]
        self._thread = ThreadPoolExecutor(1)
        self._next: dict[int, Future[list[Chunk]]] = {}

    def play(self, index: int, params: Params, simulations: int, key: jax.Array) -> Sequence[Chunk]:
        """Return what was played meanwhile, and let the workers go on with these weights."""
        ready = self._next.pop(index, None) or self._begin(index, params, simulations, key)
        chunks = ready.result()
        self._next[index] = self._begin(index, params, simulations, jax.random.fold_in(key, ELSEWHERE))
        return chunks

    def _begin(self, index: int, params: Params, simulations: int, key: jax.Array) -> Future[list[Chunk]]:
        weights = jax.device_get(params)
        tasks = [
            PlayTask(
                self._spec,
                index,
                lane,
                simulations,
                jax.device_get(jax.random.key_data(jax.random.fold_in(key, ELSEWHERE + 1 + lane))),
                weights,
                self._states[index][lane],
            )
            for lane in range(self._lanes)
        ]
        return self._thread.submit(self._played, index, tasks)

    def _played(self, index: int, tasks: list[PlayTask]) -> list[Chunk]:
        found = {task.lane: result for task, result in self._pool.run(play_task, tasks)}
        for lane in range(self._lanes):
            self._states[index][lane] = found[lane].state
        return [jax.tree.map(jnp.asarray, found[lane].chunk) for lane in range(self._lanes)]

    def close(self) -> None:
        """Ask for nothing more; what is in hand ends with the pool, and nobody will use it."""
        self._thread.shutdown(wait=False, cancel_futures=True)
