"""Scores of a batched environment: every way to score, as arithmetic on the sizes of the groups."""

from __future__ import annotations

from math import log2

import jax
import jax.numpy as jnp

from taiji.rules import (
    GameError,
    GroupProduct,
    LargestGroups,
    NthLargestGroup,
    SumOfSquares,
    UncoveredSymbols,
    Unsupported,
)
from taiji.rules.scoring import Scoring

MAX_PRODUCT_SQUARES = 60
"""The most squares of a colour whose products stay below 2³²: the largest is 3²⁰."""


def check_range(rule: Scoring, cells: int) -> None:
    """Refuse a product that may outgrow 32 bits."""
    if isinstance(rule, GroupProduct) and cells // 2 > MAX_PRODUCT_SQUARES and log2(3) * cells / 6 >= 32:
        raise GameError(f"products on a board of {cells} cells outgrow the batched environment's 32 bits")


def largest_sizes(sizes: jax.Array, count: int) -> list[jax.Array]:
    """Return the sizes of the largest groups, in order, 0 where there are no more."""
    found = []
    for _ in range(count):
        top = jnp.argmax(sizes)
        found.append(sizes[top])
        sizes = jnp.where(jnp.arange(sizes.shape[0]) == top, 0, sizes)
    return found


def depth(rule: Scoring) -> int:
    """Return how many of the largest groups a rule looks at; 0 for all or none."""
    match rule:
        case LargestGroups(groups) | SumOfSquares(groups):
            return groups
        case NthLargestGroup(rank):
            return rank
        case GroupProduct(groups):
            return groups or 0
        case UncoveredSymbols():
            return 0
        case _:
            raise Unsupported("JAX environment", rule.key, "unknown scoring")


def score(rule: Scoring, sizes: jax.Array, top: list[jax.Array], own: jax.Array) -> jax.Array:
    """Return the points of a colour from its groups, the `top` ones in order, and its uncovered symbols."""
    total: jax.Array = jnp.int32(0)
    match rule:
        case LargestGroups(groups):
            total = sum(top[:groups], total)
        case NthLargestGroup(rank):
            total = top[rank - 1]
        case SumOfSquares(groups):
            total = sum((size * size for size in top[:groups]), total)
        case GroupProduct(None):
            return _product(sizes)
        case GroupProduct(groups):
            return _product(jnp.stack(top[:groups]))
        case UncoveredSymbols():
            total = own.sum(dtype=jnp.int32)
    return jnp.asarray(total, jnp.uint32)


def _product(sizes: jax.Array) -> jax.Array:
    factors = jnp.where(sizes > 0, sizes, 1).astype(jnp.uint32)
    return jnp.where((sizes > 0).any(), jnp.prod(factors), jnp.uint32(0))


def threshold(rule: Scoring, top: list[jax.Array]) -> jax.Array:
    """Return the size from which a group counts, or would count if it were chosen among equals."""
    look = depth(rule)
    return jnp.maximum(top[look - 1], 1) if look else jnp.int32(1)


def is_multiplied(rule: Scoring) -> bool:
    """Tell whether margins under this rule are measured as ratios."""
    return isinstance(rule, GroupProduct | SumOfSquares)


def margin(rule: Scoring, own: jax.Array, other: jax.Array) -> jax.Array:
    """Return the lead in points, or in quarter octaves where scores are products or squares."""
    mine, theirs = own.astype(jnp.float32), other.astype(jnp.float32)
    if is_multiplied(rule):
        return 4.0 * (jnp.log2(mine + 1) - jnp.log2(theirs + 1))
    return mine - theirs
