"""A replay buffer that stays on the device."""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp

from taiji.training.selfplay import Examples


class ReplayBuffer(NamedTuple):
    """A ring buffer of examples; `filled` rows are valid, the next are written at `cursor`."""

    rows: Examples
    cursor: jax.Array
    filled: jax.Array


def create(capacity: int, like: Examples) -> ReplayBuffer:
    """Return an empty buffer for examples of this shape."""
    rows = jax.tree.map(lambda part: jnp.zeros((capacity, *part.shape[1:]), part.dtype), like)
    return ReplayBuffer(rows, jnp.int32(0), jnp.int32(0))


def append(replay: ReplayBuffer, new: Examples) -> ReplayBuffer:
    """Overwrite the oldest examples; a write that would cross the end starts at the front."""
    count, capacity = new.weight.shape[0], replay.rows.weight.shape[0]
    start = jnp.where(replay.cursor + count > capacity, 0, replay.cursor)

    def write(ring: jax.Array, part: jax.Array) -> jax.Array:
        return jax.lax.dynamic_update_slice_in_dim(ring, part, start, 0)

    end = start + count
    return ReplayBuffer(jax.tree.map(write, replay.rows, new), end, jnp.maximum(replay.filled, end))


def sample(replay: ReplayBuffer, key: jax.Array, count: int) -> Examples:
    """Draw examples uniformly, with replacement."""
    index = jax.random.randint(key, (count,), 0, replay.filled)
    drawn: Examples = jax.tree.map(lambda part: part[index], replay.rows)
    return drawn
