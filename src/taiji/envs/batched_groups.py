"""Groups of the batched environment: each cell carries its group's label and size, updated per square.

The label of a group is its newest square, so exactly one cell of a group carries its own index.
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
    """Colour a cell and join it to the adjacent groups of that colour; a `cell` off the grid does nothing."""
    count = colour.shape[0]
    added = jnp.arange(count) == cell
    near = neighbours[jnp.minimum(cell, count)]
    padded_colour = jnp.append(colour, jnp.uint8(0))
    padded_label = jnp.append(label, jnp.uint8(NO_GROUP))
    near_label = jnp.where(padded_colour[near] == colour_code, padded_label[near], jnp.uint8(NO_GROUP - 1))
    joined = added | (label[None, :] == near_label[:, None]).any(0)
    total = joined.sum(dtype=jnp.uint8)
    placed = cell < count
    joined &= placed
    return (
        jnp.where(added, jnp.uint8(colour_code), colour),
        jnp.where(joined, cell.astype(jnp.uint8), label),
        jnp.where(joined, total, size),
    )


def group_sizes(colour: jax.Array, label: jax.Array, size: jax.Array, colour_code: int) -> jax.Array:
    """Return the size of each group of one colour at its newest square, 0 at every other cell."""
    head = (label == jnp.arange(label.shape[0], dtype=jnp.uint8)) & (colour == colour_code)
    return jnp.where(head, size, jnp.uint8(0)).astype(jnp.int32)


def flood_sizes(owned: jax.Array, neighbours: jax.Array) -> jax.Array:
    """Return the size of each group of the `owned` cells at its lowest cell, 0 at every other cell.

    Slower than following the labels; for groups that no label follows, such as those of uncovered symbols.
    """
    count = owned.shape[0]

    def spread(labels: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        label, _ = labels
        nearest = jnp.append(label, count)[neighbours[:count]].min(1)
        return jnp.where(owned, jnp.minimum(label, nearest), count), label

    start = jnp.where(owned, jnp.arange(count), count)
    label, _ = jax.lax.while_loop(
        lambda labels: (labels[0] != labels[1]).any(), spread, (start, jnp.full(count, -1, start.dtype))
    )
    return jnp.zeros(count + 1, jnp.int32).at[label].add(1)[:count]
