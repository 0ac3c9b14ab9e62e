"""Sets of facts as words of bits: quick on every processor, and exact."""

from __future__ import annotations

from functools import reduce
from operator import add, or_
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from taiji.nets.layout import Bools


WORD_BITS = 32
Words = NDArray[np.uint32]


def pack_table(table: Bools) -> Words:
    """Return the columns of a table [facts, columns] as words: [words, columns]."""
    facts, columns = table.shape
    padded = np.zeros((-(-facts // WORD_BITS) * WORD_BITS, columns), np.uint64)
    padded[:facts] = table
    weights = np.uint64(1) << np.arange(WORD_BITS, dtype=np.uint64)
    words: Words = (padded.reshape(-1, WORD_BITS, columns) * weights[:, None]).sum(1).astype(np.uint32)
    return words


def pack(facts: jax.Array) -> jax.Array:
    """Return facts [facts] bool as words: [words] uint32."""
    count = facts.shape[0]
    padded = jnp.pad(facts, (0, -count % WORD_BITS)).reshape(-1, WORD_BITS)
    shifts = jnp.arange(WORD_BITS, dtype=jnp.uint32)
    return (padded.astype(jnp.uint32) << shifts).sum(1, dtype=jnp.uint32)


def meet(words: jax.Array, table: Words) -> jax.Array:
    """Return for each column of a packed table whether it shares a fact: [columns] bool."""
    return reduce(or_, (words[row] & jnp.asarray(table[row]) for row in _used(table))) != 0


def count_shared(words: jax.Array, table: Words) -> jax.Array:
    """Return for each column of a packed table how many facts it shares: [columns] int32."""
    shared = (jax.lax.population_count(words[row] & jnp.asarray(table[row])) for row in _used(table))
    return reduce(add, shared).astype(jnp.int32)


def _used(table: Words) -> list[int]:
    """Return the rows of a packed table with any bit, at least one."""
    return [int(row) for row in np.flatnonzero(table.any(1))] or [0]
