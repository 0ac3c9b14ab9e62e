"""Scores of the batched environment: the compiled tallies as arithmetic on the sizes of groups."""

from __future__ import annotations

from functools import reduce
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from taiji.envs.batched_tables import ENGINE
from taiji.rules import Adjacency, Unsupported
from taiji.rules.program import Fold, Tally, fold_values
from taiji.rules.traits import score_bounds


class TallyScorer:
    """Scores one tally."""

    def __init__(self, tally: Tally, cells: int, max_cells: int) -> None:
        """Prepare a tally of at most `max_cells` cells of a colour on a grid of `cells`."""
        self.tally = tally
        if tally.fold not in (Fold.SUM, Fold.PRODUCT):
            raise Unsupported(ENGINE, tally.rule, f"fold {tally.fold}")
        if tally.join not in (None, Adjacency.EDGE, Adjacency.KING):
            raise Unsupported(ENGINE, tally.rule, f"join {tally.join}")
        self.low, self.high = score_bounds(tally, min(max_cells, len(tally.value) - 1))
        if self.low < -(2**31) or self.high >= 2**32:
            raise Unsupported(ENGINE, tally.rule, f"scores from {self.low} to {self.high}: more than 31 bits")
        self.tops = (tally.last or 0) if tally.join else 0
        """The largest groups that the score picks one by one."""
        self._values = self._value_table(cells, max_cells)

    def _value_table(self, cells: int, max_cells: int) -> NDArray[np.int64]:
        """Return the points by group size, or by the number of cells if each cell is a group."""
        tally, table = self.tally, np.zeros(cells + 1, np.int64)
        largest = min(max_cells, cells, len(tally.value) - 1)
        if tally.join is None:
            for count in range(largest + 1):
                ranks = range(tally.first, min(count, tally.last or count) + 1)
                table[count] = fold_values(tally.fold, [tally.value[1]] * len(ranks))
        else:  # the group of rank `first` is not larger than that share of the cells
            sizes = range(1, largest // tally.first + 1)
            table[sizes.start : sizes.stop] = [tally.value[size] for size in sizes]
        return table

    def score(self, sizes: jax.Array, tops: list[jax.Array], cells: jax.Array, dtype: Any) -> jax.Array:
        """Return the points of a colour with these groups (largest first in `tops`) and these cells."""
        tally = self.tally
        if tally.join is None:
            return self._points(cells.sum(dtype=jnp.int32), dtype)
        if tally.last is None:
            chosen = _without_largest(sizes, tally.first - 1)
            points, is_group = self._points(chosen, dtype), chosen > 0
            if tally.fold is Fold.SUM:
                return points.sum(dtype=dtype)
            return jnp.where(is_group.any(), jnp.prod(jnp.where(is_group, points, 1), dtype=dtype), 0)
        ranks = tops[tally.first - 1 : tally.last]
        if tally.fold is Fold.SUM:
            return reduce(jnp.add, [self._points(size, dtype) for size in ranks])
        factors = [jnp.where(size > 0, self._points(size, dtype), 1) for size in ranks]
        return jnp.where(ranks[0] > 0, reduce(jnp.multiply, factors), 0)

    def _points(self, sizes: jax.Array, dtype: Any) -> jax.Array:
        if self.tally.linear and (self.tally.join or (self.tally.first, self.tally.last) == (1, None)):
            return sizes.astype(dtype)
        return jnp.asarray(self._values.astype(np.dtype(dtype)))[sizes]

    def threshold(self, tops: list[jax.Array]) -> jax.Array:
        """Return the size from which a group counts, or would count in place of an equal one."""
        depth = self.tally.depth
        return jnp.maximum(tops[depth - 1], 1) if depth else jnp.int32(1)


def largest_sizes(sizes: jax.Array, count: int) -> list[jax.Array]:
    """Return the sizes of the `count` largest groups, largest first, 0 if there are fewer."""
    largest = []
    for _ in range(count):
        top = jnp.argmax(sizes)
        largest.append(sizes[top])
        sizes = jnp.where(jnp.arange(sizes.shape[0]) == top, 0, sizes)
    return largest


def _without_largest(sizes: jax.Array, count: int) -> jax.Array:
    """Return the sizes without those of the `count` largest groups."""
    for _ in range(count):
        sizes = jnp.where(jnp.arange(sizes.shape[0]) == jnp.argmax(sizes), 0, sizes)
    return sizes
