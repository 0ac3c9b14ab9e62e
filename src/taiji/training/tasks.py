"""A chunk of self-play as a picklable task; JAX is imported only by the worker that runs it."""

from __future__ import annotations

import os
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from taiji.training.spec import TrainingSpec

if TYPE_CHECKING:
    from taiji.training.programs import Program

MAX_CACHED_PROGRAMS = 8
"""Compiled programs that a worker keeps."""


@dataclass(frozen=True, slots=True)
class PlayTask:
    """One shard's next chunk: the spec, the weights and the state of its games, as NumPy arrays."""

    spec: TrainingSpec
    index: int
    """The index of the pool."""
    shard: int
    simulations: int
    key: Any
    params: Any
    state: Any
    """The state of the games, or None to open new ones."""

    def __repr__(self) -> str:
        """Omit the arrays."""
        return f"PlayTask({self.spec.name!r}, pool {self.index}, shard {self.shard})"


class PlayedTask(NamedTuple):
    """The state of the games after a chunk, and the chunk."""

    state: Any
    chunk: Any


_compiled: OrderedDict[tuple[str, int, int], tuple[Program, Program]] = OrderedDict()


def play_task(task: PlayTask) -> PlayedTask:
    """Play one chunk of a shard; the same task gives the same games on the same kind of machine."""
    # Set before JAX is imported: each worker would claim the machine's accelerator and all of its cores.
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")
    import jax

    opens, plays = _cached_programs(task)
    key = jax.random.wrap_key_data(task.key)
    state = task.state
    if state is None:
        state = opens(jax.random.split(jax.random.fold_in(key, 0), task.spec.pools[task.index].size))
    state, chunk = plays(task.params, state, jax.random.fold_in(key, 1))
    return PlayedTask(jax.device_get(state), jax.device_get(chunk))


def _cached_programs(task: PlayTask) -> tuple[Program, Program]:
    """Return the programs that open and play games, compiled once per worker."""
    import jax

    from taiji.training.programs import opening_program, play_program
    from taiji.training.setup import build

    name = (repr(task.spec), task.index, task.simulations)
    if name not in _compiled:
        pool = build(task.spec).pools[task.index]
        play = play_program(task.spec, pool, task.index, task.simulations)
        _compiled[name] = (jax.jit(opening_program(pool)), jax.jit(play))
        if len(_compiled) > MAX_CACHED_PROGRAMS:
            _compiled.popitem(last=False)
    return _compiled[name]
