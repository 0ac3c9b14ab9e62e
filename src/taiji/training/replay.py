"""A ring of examples that stays on the device."""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp

from taiji.training.selfplay import Examples


class ReplayBuffer(NamedTuple):
    """The last examples; `filled` rows are there, the next go to `cursor`."""

    rows: Examples
    cursor: jax.Array
    filled: jax.Array


def create(capacity: int, like: Examples) -> ReplayBuffer:
    """Return a ring without examples."""
    rows = jax.tree.map(lambda part: jnp.zeros((capacity, *part.shape[1:]), part.dtype), like)
    return ReplayBuffer(rows, jnp.int32(0), jnp.int32(0))


def append(replay: ReplayBuffer, new: Examples) -> ReplayBuffer:
    """Write examples over the oldest; where they would run over the end they start at the front."""
    count, capacity = new.weight.shape[0], replay.rows.weight.shape[0]
    start = jnp.where(replay.cursor + count > capacity, 0, replay.cursor)

    def write(ring: jax.Array, part: jax.Array) -> jax.Array:
        return jax.lax.dynamic_update_slice_in_dim(ring, part, start, 0)

    end = start + count
    return ReplayBuffer(jax.tree.map(write, replay.rows, new), end, jnp.maximum(replay.filled, end))


def sample(replay: ReplayBuffer, key: jax.Array, count: int) -> Examples:
    """Draw examples at random."""
    index = jax.random.randint(key, (count,), 0, replay.filled)
    drawn: Examples = jax.tree.map(lambda part: part[index], replay.rows)
    return drawn
