"""A chunk of self-play as a plain value that any worker can be handed; JAX is loaded only by who plays it."""

from __future__ import annotations

import os
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from taiji.training.spec import TrainingSpec

if TYPE_CHECKING:
    from taiji.training.programs import Program

MAX_CACHED_PROGRAMS = 8
"""How many compiled programs a worker keeps."""


@dataclass(frozen=True, slots=True)
class PlayTask:
    """Which games of which spec to play on, by which weights, from which state; all arrays are numpy's."""

    spec: TrainingSpec
    index: int
    """The number of the pool."""
    shard: int
    simulations: int
    key: Any
    params: Any
    state: Any
    """Where the games stand, or None for games to be opened."""

    def __repr__(self) -> str:
        """Leave the arrays out."""
        return f"PlayTask({self.spec.name!r}, pool {self.index}, lane {self.shard})"


class PlayedTask(NamedTuple):
    """Where the games stand now, and what was seen on the way."""

    state: Any
    chunk: Any


_compiled: OrderedDict[tuple[str, int, int], tuple[Program, Program]] = OrderedDict()


def play_task(task: PlayTask) -> PlayedTask:
    """Play a lane on by one chunk; the same task always gives the same games on the same kind of machine."""
    # Before JAX is loaded: many workers of one machine would each take its accelerator and all of its cores.
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
    """Return what opens and what plays games; a worker compiles each once and keeps it."""
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
