"""Where self-play happens: in this process, or as tasks of a pool on other processes or machines."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol

import jax
import jax.numpy as jnp

from taiji.arena.pool import WorkerPool
from taiji.envs.batched_state import BatchedState
from taiji.training.net import Params
from taiji.training.programs import CompiledPrograms, opening_program
from taiji.training.selfplay import Chunk
from taiji.training.setup import TrainingSetup
from taiji.training.spec import TrainingSpec
from taiji.training.tasks import PlayTask, play_task

REMOTE_RNG_STREAM = 4
"""Marks the randomness of games that are played elsewhere; the trainer uses up to 3."""


class SelfPlay(Protocol):
    """Plays the games of each pool on by a chunk at a time, in one or more lanes that never mix."""

    def play(self, index: int, params: Params, simulations: int, key: jax.Array) -> Sequence[Chunk]:
        """Return the next chunk of every lane of a pool, always in the same order of lanes."""
        ...

    def close(self) -> None:
        """Play no more."""
        ...


class LocalSelfPlay:
    """Plays in this process, on the device that also learns."""

    def __init__(self, spec: TrainingSpec, setup: TrainingSetup, programs: CompiledPrograms) -> None:
        self._spec, self._setup, self._programs = spec, setup, programs
        self._states: list[BatchedState | None] = [None] * len(spec.pools)

    def play(self, index: int, params: Params, simulations: int, key: jax.Array) -> Sequence[Chunk]:
        """Play the one lane on."""
        state = self._states[index]
        if state is None:
            keys = jax.random.split(jax.random.fold_in(key, 0), self._spec.pools[index].size)
            state = jax.jit(opening_program(self._setup.pools[index]))(keys)
        play = self._programs.pools[index].play[simulations]
        self._states[index], chunk = play(params, state, jax.random.fold_in(key, 1))
        return [chunk]

    def close(self) -> None:
        """Do nothing."""


class RemoteSelfPlay:
    """Plays a lane for each worker of a pool; what a lost worker played is played again, exactly alike.

    A lane's games travel with its task, so that no worker keeps anything that could be lost with it. While
    the net learns from one round the workers play the next, with the weights from before that learning.
    """

    def __init__(self, spec: TrainingSpec, pool: WorkerPool) -> None:
        self._spec, self._pool = spec, pool
        self._shards = pool.workers
        self._states: list[list[Any]] = [[None] * self._shards for _ in spec.pools]
        self._thread = ThreadPoolExecutor(1)
        self._next: dict[int, Future[list[Chunk]]] = {}

    def play(self, index: int, params: Params, simulations: int, key: jax.Array) -> Sequence[Chunk]:
        """Return what was played meanwhile, and let the workers go on with these weights."""
        ready = self._next.pop(index, None) or self._submit(index, params, simulations, key)
        chunks = ready.result()
        self._next[index] = self._submit(
            index, params, simulations, jax.random.fold_in(key, REMOTE_RNG_STREAM)
        )
        return chunks

    def _submit(self, index: int, params: Params, simulations: int, key: jax.Array) -> Future[list[Chunk]]:
        weights = jax.device_get(params)
        tasks = [
            PlayTask(
                self._spec,
                index,
                shard,
                simulations,
                jax.device_get(jax.random.key_data(jax.random.fold_in(key, REMOTE_RNG_STREAM + 1 + shard))),
                weights,
                self._states[index][shard],
            )
            for shard in range(self._shards)
        ]
        return self._thread.submit(self._run_tasks, index, tasks)

    def _run_tasks(self, index: int, tasks: list[PlayTask]) -> list[Chunk]:
        results = {task.shard: result for task, result in self._pool.run(play_task, tasks)}
        for shard in range(self._shards):
            self._states[index][shard] = results[shard].state
        return [jax.tree.map(jnp.asarray, results[lane].chunk) for lane in range(self._shards)]

    def close(self) -> None:
        """Ask for nothing more; what is in hand ends with the pool, and nobody will use it."""
        self._thread.shutdown(wait=False, cancel_futures=True)
