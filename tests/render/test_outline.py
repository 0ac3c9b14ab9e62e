"""Outlines: one path round any set of cells, with holes and corner contacts."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taiji.render.outline import Cell, Rounding, closed, trace
from taiji.render.shapes import Segment

SHARP = Rounding(cell=10.0, origin=(0.0, 0.0), inset=0.0, convex=0.0, concave=0.0)
cells = st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=30)


def subpaths(path: list[Segment]) -> list[list[tuple[float, float]]]:
    found: list[list[tuple[float, float]]] = []
    for segment in path:
        if segment[0] == "M":
            found.append([])
        if segment[0] != "Z":
            found[-1].append((float(segment[-2]), float(segment[-1])))
    return found


def area(path: list[Segment]) -> float:
    """Return the area within the path; loops round holes run the other way and count less."""
    total = 0.0
    for points in subpaths(path):
        total += sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairwise([*points, points[0]])) / 2
    return total


@given(cells, st.booleans())
def test_the_area_within_is_that_of_the_cells(shape: set[Cell], join: bool) -> None:
    if not join:
        assert area(closed(trace(shape), SHARP)) == pytest.approx(100 * len(shape))
    loops = trace(shape, join_corners=join)
    sides = sum(len(loop) for loop in loops)
    neighbours = sum((x + 1, y) in shape for x, y in shape) + sum((x, y + 1) in shape for x, y in shape)
    assert sides == 4 * len(shape) - 2 * neighbours, "each side of the border is walked once"


@given(cells)
def test_loops_are_closed(shape: set[Cell]) -> None:
    for loop in trace(shape, join_corners=True):
        assert all(one.end == two.start for one, two in pairwise([*loop, loop[0]]))


def test_a_ring_has_two_loops() -> None:
    ring = {(x, y) for x in range(3) for y in range(3)} - {(1, 1)}
    assert len(trace(ring)) == 2


def test_cells_that_touch_at_a_corner_are_joined_where_asked() -> None:
    corner = {(0, 0), (1, 1)}
    assert len(trace(corner)) == 2
    assert len(trace(corner, join_corners=True)) == 1


def test_an_inset_keeps_away_from_the_border() -> None:
    how = Rounding(10.0, (0.0, 0.0), 2.0, 3.0, 3.0)
    points = [point for loop in subpaths(closed(trace({(0, 0), (1, 0)}), how)) for point in loop]
    assert min(x for x, _ in points) == 2
    assert max(x for x, _ in points) == 18
    assert min(y for _, y in points) == 2
    assert max(y for _, y in points) == 8


def test_two_halves_meet_without_a_gap() -> None:
    whole = {(0, 0), (1, 0)}
    how = Rounding(10.0, (0.0, 0.0), 1.0, 2.0, 1.0)
    left, right = (subpaths(closed(trace({half}, whole), how))[0] for half in sorted(whole))
    assert max(x for x, _ in left) == min(x for x, _ in right) == 10
    assert min(x for x, _ in left) == 1, "outside they keep the inset"


def test_the_colours_of_a_piece_fill_its_outline() -> None:
    # A T with the stem in another colour: the inner corners belong to the square at the crossing.
    whole = {(0, 0), (1, 0), (2, 0), (1, 1)}
    how = Rounding(56.0, (0.0, 0.0), 2.5, 10.0, 2.5)
    outline = area(closed(trace(whole), how))
    for part in ({(1, 1)}, {(0, 0), (1, 1)}, {(1, 0), (1, 1)}):
        both = area(closed(trace(part, whole), how)) + area(closed(trace(whole - part, whole), how))
        assert both == pytest.approx(outline, rel=0.002)
