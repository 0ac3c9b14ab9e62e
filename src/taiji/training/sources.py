"""Sources of self-play: this process, or the workers of a pool in other processes or on other machines."""

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
"""The first random stream of remote games; the trainer itself uses streams up to 3."""


class SelfPlay(Protocol):
    """Plays the games of each pool one chunk at a time, in one or more independent shards."""

    def play(self, index: int, params: Params, simulations: int, key: jax.Array) -> Sequence[Chunk]:
        """Return the next chunk of each shard of a pool, in a fixed order of shards."""
        ...

    def close(self) -> None:
        """Stop playing."""
        ...


class LocalSelfPlay:
    """Plays in this process, on the device that also learns, in one shard."""

    def __init__(self, spec: TrainingSpec, setup: TrainingSetup, programs: CompiledPrograms) -> None:
        self._spec, self._setup, self._programs = spec, setup, programs
        self._states: list[BatchedState | None] = [None] * len(spec.pools)

    def play(self, index: int, params: Params, simulations: int, key: jax.Array) -> Sequence[Chunk]:
        """Return the next chunk of the only shard."""
        state = self._states[index]
        if state is None:
            keys = jax.random.split(jax.random.fold_in(key, 0), self._spec.pools[index].size)
            state = jax.jit(opening_program(self._setup.pools[index]))(keys)
        play = self._programs.pools[index].play[simulations]
        self._states[index], chunk = play(params, state, jax.random.fold_in(key, 1))
        return [chunk]

    def close(self) -> None:
        """Release nothing: no resources are held."""


class RemoteSelfPlay:
    """Plays one shard per worker of a pool; the task of a lost worker is repeated with the same result.

    A shard's games travel with its task, so workers are stateless. While the net learns from one round, the
    workers play the next with the weights from before that learning.
    """

    def __init__(self, spec: TrainingSpec, pool: WorkerPool) -> None:
        self._spec, self._pool = spec, pool
        self._shards = pool.workers
        self._states: list[list[Any]] = [[None] * self._shards for _ in spec.pools]
        self._thread = ThreadPoolExecutor(1)
        self._next: dict[int, Future[list[Chunk]]] = {}

    def play(self, index: int, params: Params, simulations: int, key: jax.Array) -> Sequence[Chunk]:
        """Return the chunks played in the background, and submit the next ones with these weights."""
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
        return [jax.tree.map(jnp.asarray, results[shard].chunk) for shard in range(self._shards)]

    def close(self) -> None:
        """Submit nothing more; tasks in progress end with the pool and their results are discarded."""
        self._thread.shutdown(wait=False, cancel_futures=True)
