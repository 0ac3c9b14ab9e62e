"""Incremental groups: each cell carries its group's label and size; new squares join their neighbours.

The label of a group is its newest square, so exactly one cell of a group carries its own number.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp

NO_GROUP = 255


def add_square(
    colour: jax.Array,
    label: jax.Array,
    size: jax.Array,
    cell: jax.Array,
    colour_code: int,
    neighbours: jax.Array,
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Colour a cell with `ink` and join it with the groups of that colour beside it; `cells` is no cell."""
    count = colour.shape[0]
    here = jnp.arange(count) == cell
    near = neighbours[jnp.minimum(cell, count)]
    padded_colour = jnp.append(colour, jnp.uint8(0))
    padded_label = jnp.append(label, jnp.uint8(NO_GROUP))
    near_label = jnp.where(padded_colour[near] == colour_code, padded_label[near], jnp.uint8(NO_GROUP - 1))
    joined = here | (label[None, :] == near_label[:, None]).any(0)
    total = joined.sum(dtype=jnp.uint8)
    placed = cell < count
    joined &= placed
    return (
        jnp.where(here, jnp.uint8(colour_code), colour),
        jnp.where(joined, cell.astype(jnp.uint8), label),
        jnp.where(joined, total, size),
    )


def group_sizes(colour: jax.Array, label: jax.Array, size: jax.Array, colour_code: int) -> jax.Array:
    """Return the size of each group of one colour at its newest square, 0 at every other cell."""
    head = (label == jnp.arange(label.shape[0], dtype=jnp.uint8)) & (colour == colour_code)
    return jnp.where(head, size, jnp.uint8(0)).astype(jnp.int32)
