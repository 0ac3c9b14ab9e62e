"""Placement tests of the batched environment: the compiled tests of a stage as one matrix product.

Each test becomes rows of one product from what lies on the board to a weight for or against each footprint,
if a single cell or set decides it; the others count cells and look the count up in a table of passing counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from taiji.envs.batched_state import BatchedState
from taiji.envs.batched_tables import ENGINE, BatchedTables
from taiji.rules import Adjacency, Unsupported
from taiji.rules.program import NONE_COUNTED, SOME_COUNTED, Around, Each, Fixed, Plane, Test, Under, When
from taiji.rules.traits import forbids_overlap

if TYPE_CHECKING:
    from taiji.nets.layout import Bools

FORBIDDEN = -128.0
"""The weight of one reason against a footprint; no region holds as many cells."""

Fact = Callable[[BatchedState], jax.Array]
"""A position to a vector of facts: [rows] bool."""


@dataclass(frozen=True)
class Lookup:
    """A test by counting: the facts in each footprint's region are counted and looked up."""

    fact: Fact
    region: Bools
    """[facts, footprints]: the facts that are counted for each footprint."""
    passing: Bools
    """[footprints, count]: whether the count passes."""
    when: When


class PlacementTests:
    """The tests of the largest game's stage over all footprints of the grid."""

    def __init__(self, tables: BatchedTables, exact: jnp.dtype) -> None:
        """Lower the tests to arrays; raise `Unsupported` for a test that cannot be.

        `exact` is the fastest type that counts cells exactly.
        """
        self._tables, self._exact = tables, exact
        self._facts: list[Fact] = []
        self._weights: list[NDArray[np.float32]] = []
        self._lookups: list[Lookup] = []
        self._needs_touch = False
        exists = tables.footprint_cells.any(1)
        self._allowed = {When.FIRST: exists, When.LATER: exists}
        """The footprints that pass the tests of the piece alone, by phase."""
        for test in tables.stage.tests:
            self._add(test)
        self.weights = np.concatenate(self._weights)

    def find_live(self, state: BatchedState) -> jax.Array:
        """Return the footprints that pass every test: [footprints] bool."""
        exact, opening = self._exact, state.placed == 0
        facts = jnp.concatenate([fact(state) for fact in self._facts]).astype(exact)
        weight = jnp.matmul(facts, jnp.asarray(self.weights, exact), preferred_element_type=jnp.float32)
        live = weight >= (jnp.where(opening, 0.0, 1.0) if self._needs_touch else 0.0)
        first, later = self._allowed[When.FIRST], self._allowed[When.LATER]
        live &= jnp.asarray(first) if np.array_equal(first, later) else jnp.where(opening, first, later)
        for lookup in self._lookups:
            region = jnp.asarray(lookup.region, exact)
            count = jnp.matmul(lookup.fact(state).astype(exact), region, preferred_element_type=jnp.float32)
            live &= _look_up(lookup.passing, count) | ~_applies(lookup.when, opening)
        return live

    def _add(self, test: Test) -> None:
        if test.when not in (When.ALWAYS, When.FIRST, When.LATER):
            raise Unsupported(ENGINE, test.rule, f"when {test.when}")
        match test.region:
            case Under():
                region = self._tables.footprint_cells
            case Around(Adjacency.EDGE | Adjacency.KING as adjacency):
                region = self._tables.surroundings(adjacency)
            case Fixed(cells):
                region = np.broadcast_to(self._tables.mask_row(cells), self._tables.footprint_cells.shape)
            case Each(sets):
                self._add_sets(test, np.array([self._tables.mask_row(mask) for mask in sets], np.bool_))
                return
            case _:
                raise Unsupported(ENGINE, test.rule, f"region {test.region}")
        self._add_region(test, region)

    def _add_region(self, test: Test, region: Bools) -> None:
        """Add a test of one mask per footprint."""
        overlap = (region & self._tables.footprint_cells).sum(1)
        is_dead = test.when is When.FIRST and test.plane in (Plane.COVERED, Plane.KIND)
        match test.plane:
            case Plane.PIECE:
                self._add_static(test, _passing(test, region.sum(1), overlap)[:, 0])
            case Plane.COVERED | Plane.KIND if test.counts == NONE_COUNTED:
                if not is_dead:
                    self._add_product(self._fact(test), self._spread(test, region), FORBIDDEN)
            case Plane.COVERED | Plane.KIND if (
                test.counts == SOME_COUNTED and test.when is When.LATER and not self._needs_touch
            ):
                self._needs_touch = True
                self._add_product(self._fact(test), self._spread(test, region), 1.0)
            case Plane.COVERED | Plane.KIND:
                passing = _passing(test, region.sum(1), np.zeros_like(overlap))
                self._lookups.append(Lookup(self._fact(test), self._spread(test, region), passing, test.when))
            case Plane.AFTER:
                passing = _passing(test, region.sum(1), overlap)
                self._lookups.append(Lookup(_covered, region.T, passing, test.when))
            case _:
                raise Unsupported(ENGINE, test.rule, f"plane {test.plane}")

    def _add_sets(self, test: Test, sets: Bools) -> None:
        """Add a test that must pass in every set that the piece meets."""
        if not len(sets):
            return
        overlap = self._tables.footprint_cells.astype(np.int32) @ sets.T.astype(np.int32)
        sizes = sets.sum(1)
        if test.plane is Plane.PIECE:
            passes = [
                _passing(test, np.full(len(hits), size), hits)[:, 0]
                for size, hits in zip(sizes, overlap.T, strict=True)
            ]
            self._add_static(test, (np.array(passes).T | (overlap == 0)).all(1))
            return
        if test.plane not in (Plane.COVERED, Plane.KIND, Plane.AFTER):
            raise Unsupported(ENGINE, test.rule, f"plane {test.plane}")
        shares = range(1, int(overlap.max()) + 1) if test.plane is Plane.AFTER else range(1)
        meets = [overlap == share if share else overlap > 0 for share in shares]
        failing = [~_passing(test, sizes, np.full_like(sizes, share)) for share in shares]
        for kind in range(self._tables.kinds) if test.plane is Plane.KIND else [None]:
            cells = _covered if kind is None else partial(_covered_by, kind)
            of_kind = True if kind is None else self._tables.footprint_kind[:, None] == kind
            fact = partial(_failing_sets, cells, sets, failing, test.when, self._exact)
            self._add_product(fact, np.concatenate([(some & of_kind).T for some in meets]), FORBIDDEN)

    def _add_static(self, test: Test, passes: Bools) -> None:
        for when in self._allowed:
            if test.when in (When.ALWAYS, when):
                self._allowed[when] = self._allowed[when] & passes

    def _add_product(self, fact: Fact, region: Bools, weight: float) -> None:
        self._facts.append(fact)
        self._weights.append(np.where(region, np.float32(weight), np.float32(0)))

    def _fact(self, test: Test) -> Fact:
        if test.plane is Plane.KIND:
            return partial(_kinds, self._tables.kinds)
        return _occupied if forbids_overlap(test) else _covered

    def _spread(self, test: Test, region: Bools) -> Bools:
        """Return [facts, footprints]; a footprint looks at the facts of its own kind only."""
        if test.plane is not Plane.KIND:
            return region.T
        kinds = self._tables.footprint_kind
        return np.concatenate([region.T & (kinds == kind) for kind in range(self._tables.kinds)])


def _passing(test: Test, sizes: NDArray[np.int64], offset: NDArray[np.int64]) -> Bools:
    """Return [row, count]: whether `count` plus the row's offset passes in a region of the row's size."""
    table = np.zeros((len(sizes), int(sizes.max(initial=0)) + 1), np.bool_)
    for size, more in {*zip(sizes.tolist(), offset.tolist(), strict=True)}:
        passing = test.counts.passing(size)
        row = [bool(passing >> min(count + more, size) & 1) for count in range(table.shape[1])]
        table[(sizes == size) & (offset == more)] = row
    return table


def _occupied(state: BatchedState) -> jax.Array:
    return (state.kind > 0) | ~state.board


def _covered(state: BatchedState) -> jax.Array:
    return state.kind > 0


def _covered_by(kind: int, state: BatchedState) -> jax.Array:
    return state.kind == kind + 1


def _kinds(count: int, state: BatchedState) -> jax.Array:
    return jnp.concatenate([state.kind == kind + 1 for kind in range(count)])


def _applies(when: When, opening: jax.Array) -> jax.Array:
    """Return whether a test applies now."""
    if when is When.ALWAYS:
        return jnp.ones_like(opening)
    return opening if when is When.FIRST else ~opening


def _failing_sets(
    cells: Fact, sets: Bools, failing: list[Bools], when: When, exact: jnp.dtype, state: BatchedState
) -> jax.Array:
    """Return the sets in which the test fails for a piece that meets them, for each share of the piece."""
    inside = jnp.asarray(sets.T, exact)
    count = jnp.matmul(cells(state).astype(exact), inside, preferred_element_type=jnp.float32)
    fails = jnp.concatenate([_look_up(table, count) for table in failing])
    return fails if when is When.ALWAYS else fails & _applies(when, state.placed == 0)


def _look_up(table: Bools, count: jax.Array) -> jax.Array:
    """Return `table[row, count[row]]`, by a comparison if each row is a threshold."""
    threshold = np.where(table.any(1), table.argmax(1), table.shape[1])
    if np.array_equal(table, np.arange(table.shape[1]) >= threshold[:, None]):
        return count >= jnp.asarray(threshold, jnp.float32)
    return jnp.take_along_axis(jnp.asarray(table), count.astype(jnp.int32)[:, None], 1)[:, 0]
