"""Placement tests of the batched environment: the compiled tests of a stage over all footprints, as bits.

What lies on the board is packed into words of bits. A test asks for each footprint whether its region shares
a bit with them, or how many bits, a number that is then looked up in a table of passing counts.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from taiji.envs.batched_bits import Words, count_shared, meet, pack, pack_table
from taiji.envs.batched_state import BatchedState
from taiji.envs.batched_tables import ENGINE, BatchedTables
from taiji.rules import Adjacency, Unsupported
from taiji.rules.program import Around, Each, Fixed, Plane, Test, Under, When
from taiji.rules.traits import forbids_overlap

if TYPE_CHECKING:
    from taiji.nets.layout import Bools

Fact = Callable[[BatchedState], jax.Array]
"""A position to a vector of facts: [facts] bool."""
OCCUPIED, COVERED = "occupied", "covered"
"""Names of facts; those of the cells under a kind are the number of the kind."""


class Passing(Enum):
    """Which counts pass."""

    NONE = "none"
    SOME = "some"
    TABLE = "table"
    """Those of a table."""
    ANY = "any"
    """All: the test can be left out."""


@dataclass(frozen=True)
class BitTest:
    """A test of the footprints of one run: the facts in each one's region."""

    fact: Hashable
    region: Words
    """[words, footprints]: the facts that each footprint looks at."""
    passing: Passing
    table: Bools
    """[footprints, count]: whether a count passes."""
    when: When

    def passes(self, words: jax.Array, opening: jax.Array) -> jax.Array:
        """Return the footprints that pass: [footprints] bool."""
        match self.passing:
            case Passing.NONE:
                passed = ~meet(words, self.region)
            case Passing.SOME:
                passed = meet(words, self.region)
            case _:
                passed = _look_up(self.table, count_shared(words, self.region))
        return passed if self.when is When.ALWAYS else passed | ~_applies(self.when, opening)


@dataclass(frozen=True)
class Run:
    """Consecutive footprints of one kind, with their tests."""

    kind: int
    columns: slice
    tests: list[BitTest] = field(default_factory=list)


class PlacementTests:
    """The tests of the largest game's stage over all footprints of the grid."""

    def __init__(self, tables: BatchedTables) -> None:
        """Lower the tests to bits; raise `Unsupported` for a test that cannot be."""
        self._tables = tables
        self._facts: dict[Hashable, Fact] = {OCCUPIED: _occupied, COVERED: _covered}
        for kind in range(tables.kinds):
            self._facts[kind] = partial(_covered_by, kind)
        self._runs = _runs(tables.footprint_kind.tolist())
        self._exists: Bools = np.any(tables.footprint_cells, axis=1)
        self._allowed = {When.FIRST: self._exists, When.LATER: self._exists}
        """The footprints that pass the tests of the piece alone, by phase."""
        for test in tables.stage.tests:
            self._add(test)

    def find_live(self, state: BatchedState, in_stock: Sequence[jax.Array]) -> jax.Array:
        """Return the footprints that pass every test, of the kinds in stock: [footprints] bool."""
        opening = state.placed == 0
        used = {test.fact for run in self._runs for test in run.tests}
        words = {name: pack(fact(state)) for name, fact in self._facts.items() if name in used}
        first, later = self._allowed[When.FIRST], self._allowed[When.LATER]
        parts = []
        for run in self._runs:
            live = jnp.asarray(later[run.columns])
            if not np.array_equal(first[run.columns], later[run.columns]):
                live = jnp.where(opening, jnp.asarray(first[run.columns]), live)
            for test in run.tests:
                live &= test.passes(words[test.fact], opening)
            parts.append(live & in_stock[run.kind])
        return jnp.concatenate(parts)

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
        match test.plane:
            case Plane.PIECE:
                self._add_static(test, _passing(test, region.sum(1), overlap)[:, 0])
            case Plane.COVERED | Plane.KIND:
                self._add_counts(test, region, np.zeros_like(overlap))
            case Plane.AFTER:
                self._add_counts(test, region, overlap)
            case _:
                raise Unsupported(ENGINE, test.rule, f"plane {test.plane}")

    def _add_counts(self, test: Test, region: Bools, offset: NDArray[np.int64]) -> None:
        """Add a test of the number of facts in each footprint's region, plus an offset."""
        sizes = region.sum(1)
        table = _passing(test, sizes, offset)
        reachable = (np.arange(table.shape[1]) <= (sizes - offset)[:, None]) & self._exists[:, None]
        for run in self._runs:
            passing = _classify(table[run.columns], reachable[run.columns])
            fact: Hashable = run.kind if test.plane is Plane.KIND else COVERED
            if forbids_overlap(test):
                fact = OCCUPIED
            if passing is not Passing.ANY:
                words = pack_table(region[run.columns].T)
                run.tests.append(BitTest(fact, words, passing, table[run.columns], test.when))

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
        for run in self._runs:
            kind = run.kind if test.plane is Plane.KIND else None
            cells = _covered if kind is None else partial(_covered_by, kind)
            name = ("sets", test, kind)
            self._facts[name] = partial(_failing_sets, cells, pack_table(sets.T), failing, test.when)
            words = pack_table(np.concatenate([some[run.columns].T for some in meets]))
            run.tests.append(BitTest(name, words, Passing.NONE, np.ones((0, 0), np.bool_), When.ALWAYS))

    def _add_static(self, test: Test, passes: Bools) -> None:
        for when in self._allowed:
            if test.when in (When.ALWAYS, when):
                self._allowed[when] = self._allowed[when] & passes


def _runs(kinds: list[int]) -> list[Run]:
    """Return the footprints as runs of equal kind."""
    runs, start = [], 0
    for kind, members in groupby(kinds):
        end = start + len(list(members))
        runs.append(Run(kind, slice(start, end)))
        start = end
    return runs


def _passing(test: Test, sizes: NDArray[np.int64], offset: NDArray[np.int64]) -> Bools:
    """Return [row, count]: whether `count` plus the row's offset passes in a region of the row's size."""
    table = np.zeros((len(sizes), int(sizes.max(initial=0)) + 1), np.bool_)
    for size, more in {*zip(sizes.tolist(), offset.tolist(), strict=True)}:
        passing = test.counts.passing(size)
        row = [bool(passing >> min(count + more, size) & 1) for count in range(table.shape[1])]
        table[(sizes == size) & (offset == more)] = row
    return table


def _classify(table: Bools, reachable: Bools) -> Passing:
    """Return which of the reachable counts pass, the same for every footprint of a run if it is simple."""
    some = np.arange(table.shape[1]) > 0
    for passing, expected in ((Passing.ANY, some | True), (Passing.NONE, ~some), (Passing.SOME, some)):
        if ((table == expected) | ~reachable).all():
            return passing
    return Passing.TABLE


def _occupied(state: BatchedState) -> jax.Array:
    return (state.kind > 0) | ~state.board


def _covered(state: BatchedState) -> jax.Array:
    return state.kind > 0


def _covered_by(kind: int, state: BatchedState) -> jax.Array:
    return state.kind == kind + 1


def _applies(when: When, opening: jax.Array) -> jax.Array:
    """Return whether a test applies now."""
    if when is When.ALWAYS:
        return jnp.ones_like(opening)
    return opening if when is When.FIRST else ~opening


def _failing_sets(
    cells: Fact, sets: Words, failing: list[Bools], when: When, state: BatchedState
) -> jax.Array:
    """Return the sets in which the test fails for a piece that meets them, for each share of the piece."""
    count = count_shared(pack(cells(state)), sets)
    fails = jnp.concatenate([_look_up(table, count) for table in failing])
    return fails if when is When.ALWAYS else fails & _applies(when, state.placed == 0)


def _look_up(table: Bools, count: jax.Array) -> jax.Array:
    """Return `table[row, count[row]]`, by a comparison if each row is a threshold."""
    threshold = np.where(table.any(1), table.argmax(1), table.shape[1])
    if np.array_equal(table, np.arange(table.shape[1]) >= threshold[:, None]):
        return count >= jnp.asarray(threshold, jnp.int32)
    return jnp.take_along_axis(jnp.asarray(table), count[:, None], 1)[:, 0]
