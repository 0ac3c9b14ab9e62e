"""Traits: what other layers need to know about rules, derived from the compiled form and never declared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from operator import add, mul

from taiji.rules.program import (
    NONE_COUNTED,
    NOT_ALL_COUNTED,
    SOME_COUNTED,
    Around,
    Each,
    Fixed,
    Fold,
    Plane,
    Tally,
    Test,
    Under,
    When,
    fold_values,
)

GROWING_PLANES = frozenset({Plane.COVERED, Plane.AFTER, Plane.KIND})
"""The planes to which a placement adds cells."""


class Shape(Enum):
    """How the footprints that pass a test change while pieces are placed."""

    STATIC = "static"
    """Never: the plane does not change during a stage."""
    KILL = "kill"
    """A footprint fails for good as soon as one cell of its region is in the plane."""
    WAKE = "wake"
    """A footprint passes for good as soon as one cell of its region is in the plane."""
    BLOCK = "block"
    """A footprint fails for good once it would complete one of the sets it meets."""
    COUNT = "count"
    """None of these: count the cells of each footprint's region."""


def classify(test: Test) -> Shape:
    """Return the shape of a test, whatever its `when`."""
    if test.plane in (Plane.PIECE, Plane.GROUND):
        return Shape.STATIC
    if test.plane is Plane.AFTER:
        is_block = isinstance(test.region, Each) and test.counts == NOT_ALL_COUNTED
        return Shape.BLOCK if is_block else Shape.COUNT
    if test.counts == NONE_COUNTED:
        return Shape.KILL
    if test.counts == SOME_COUNTED and not isinstance(test.region, Each):
        return Shape.WAKE
    return Shape.COUNT


@dataclass(frozen=True)
class StageTraits:
    """What the tests of a stage have in common."""

    heights_matter: bool
    """Whether the cells that the stage before covered decide where a piece may lie."""
    start_cells: int
    """The cells that the first piece must cover, all or some of them."""
    is_constrained: bool
    """Whether anything but covered cells restricts placing."""
    can_become_live: bool
    """Whether a footprint that is illegal now may be legal later in the stage."""
    order_free: bool
    """Whether placing any legal piece of a reachable position first never blocks the others."""
    fixed_masks: tuple[frozenset[int], ...]
    """Sets of masks that a symmetry of the game must map onto themselves."""


def derive_traits(tests: tuple[Test, ...]) -> StageTraits:
    """Return the traits of a stage with these tests."""
    return StageTraits(
        heights_matter=any(test.plane is Plane.GROUND for test in tests),
        start_cells=_start_cells(tests),
        is_constrained=not all(forbids_overlap(test) for test in tests),
        can_become_live=any(_can_become_live(test) for test in tests),
        order_free=_are_order_free(tests),
        fixed_masks=tuple(masks for masks in (_fixed_masks(test) for test in tests) if masks is not None),
    )


def forbids_overlap(test: Test) -> bool:
    """Return whether a test says no more than that a piece covers free cells."""
    return (
        test.plane is Plane.COVERED
        and test.region == Under()
        and test.counts == NONE_COUNTED
        and test.when is not When.FIRST
    )


def _start_cells(tests: tuple[Test, ...]) -> int:
    cells = 0
    for test in tests:
        if not (test.plane is Plane.PIECE and test.when is When.FIRST and isinstance(test.region, Fixed)):
            continue
        if not test.counts.allows(0, test.region.cells.bit_count()):
            cells |= test.region.cells
    return cells


def _can_become_live(test: Test) -> bool:
    return test.when is When.FIRST or (test.plane in GROWING_PLANES and not test.counts.is_down_set)


def _fixed_masks(test: Test) -> frozenset[int] | None:
    match test.region:
        case Fixed(cells):
            return frozenset({cells})
        case Each(sets):
            return frozenset(sets)
        case _:
            return None


def _are_order_free(tests: tuple[Test, ...]) -> bool:
    """Return whether the tests can be replayed greedily, in any order.

    Suppose some order of a set of placements is legal. Static tests hold in any order. Tests that forbid two
    pieces to touch are symmetric. A limit on what is covered afterwards holds at the end, and so at every
    moment before. Pieces that must touch form one connected set, whichever is first. Anything else may depend
    on the order.
    """
    return all(_is_order_free(test) for test in tests)


def _is_order_free(test: Test) -> bool:
    if test.when is When.ALWAYS:
        return (
            test.plane in (Plane.PIECE, Plane.GROUND)
            or (test.counts == NONE_COUNTED and isinstance(test.region, Under | Around))
            or (
                test.plane is Plane.AFTER
                and isinstance(test.region, Each | Fixed)
                and test.counts.is_down_set
            )
        )
    if test.when is When.LATER:
        return test.plane is Plane.COVERED and isinstance(test.region, Around) and test.counts == SOME_COUNTED
    return test.plane in (Plane.PIECE, Plane.GROUND)


@lru_cache(maxsize=256)
def score_bounds(tally: Tally, most: int, least: int = 0) -> tuple[int, int]:
    """Return the lowest and the highest score that `least` to `most` cells of a colour can make.

    The shape of the board is ignored, so the true extremes may lie inside these bounds.
    """
    if tally.join is None:
        return _bounds_by_cell(tally, most, least)
    has_group = least > 0 and tally.first == 1
    low, high = (None, None) if has_group else (0, 0)
    for ends in _extremes_by_largest(tally, most):
        low = min(ends) if low is None else min(low, *ends)
        high = max(ends) if high is None else max(high, *ends)
    return low or 0, high or 0


def score_bits(tally: Tally, most: int) -> int:
    """Return how many bits hold every score that `most` cells can make, the sign included if there is one."""
    low, high = score_bounds(tally, most)
    return max(high.bit_length(), (-low - 1).bit_length() if low < 0 else 0) + (low < 0)


def _bounds_by_cell(tally: Tally, most: int, least: int) -> tuple[int, int]:
    scores = []
    for cells in range(least, most + 1):
        last = cells if tally.last is None else min(cells, tally.last)
        scores.append(fold_values(tally.fold, [tally.value[1]] * max(0, last - tally.first + 1)))
    return min(scores, default=0), max(scores, default=0)


def _extremes_by_largest(tally: Tally, most: int) -> Iterator[tuple[int, int]]:
    """Yield the extreme scores for every size of the largest group that counts (a knapsack over sizes)."""
    combine = add if tally.fold is Fold.SUM else mul
    unlimited = tally.last is None or tally.last - tally.first >= most
    rows = 1 if unlimited else (tally.last or 0) - tally.first + 1
    nothing = 0 if tally.fold is Fold.SUM else 1
    # table[groups][cells]: the extremes of that many further groups, in at most that many cells
    table: list[list[tuple[int, int] | None]] = [[None] * (most + 1) for _ in range(rows)]
    table[0] = [(nothing, nothing)] * (most + 1)
    for size in range(1, most // tally.first + 1):
        worth = tally.value[size]
        for groups in range(rows):
            target = groups if unlimited else groups + 1
            for cells in range(size, most + 1) if target < rows else ():
                table[target][cells] = _widen(
                    table[target][cells], table[groups][cells - size], combine, worth
                )
        room = most - tally.first * size
        for row in table:
            ends = _widen(None, row[room], combine, worth)
            if ends is not None:
                yield ends


def _widen(
    ends: tuple[int, int] | None, more: tuple[int, int] | None, combine: Callable[[int, int], int], worth: int
) -> tuple[int, int] | None:
    """Widen a pair of extremes by another pair to which one group is added."""
    if more is None:
        return ends
    reached = [combine(end, worth) for end in more]
    both = reached if ends is None else [*ends, *reached]
    return min(both), max(both)
