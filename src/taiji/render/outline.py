"""Trace the outline of a set of cells as one rounded path, with holes and corner contacts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from taiji.render.shapes import Point, Segment

Cell = tuple[int, int]
"""Column and row of a cell, counted from the top left."""

# Control-point distance with which a cubic Bézier curve approximates a quarter circle.
_ROUND = 0.5523


@dataclass(frozen=True, slots=True)
class Edge:
    """A side of a cell on the border, walked clockwise: the inside is on its right."""

    start: Cell
    step: Cell
    outer: bool
    """Whether this is the border of the whole piece, not only of the squares of one colour."""
    after_neck: bool = False
    """Whether the previous edge meets it at a point where two cells touch only by a corner."""

    @property
    def end(self) -> Cell:
        """End point."""
        return self.start[0] + self.step[0], self.start[1] + self.step[1]

    @property
    def inward(self) -> Cell:
        """Direction of the inside."""
        return -self.step[1], self.step[0]


Loop = list[Edge]


def trace(
    cells: Iterable[Cell], whole: Iterable[Cell] | None = None, *, join_corners: bool = False
) -> list[Loop]:
    """Return the border loops of cells, a part of `whole`; `join_corners` joins them at corner contacts."""
    part = set(cells)
    all_of_it = part if whole is None else set(whole)
    waiting: dict[Cell, list[Edge]] = {}
    for cell in sorted(part):
        for edge in _sides(cell, part, all_of_it):
            waiting.setdefault(edge.start, []).append(edge)
    loops = []
    while waiting:
        # The leftmost remaining point is never a corner contact.
        edge = _take(waiting, min(waiting), None, join_corners)
        loop = [edge]
        while edge.end != loop[0].start:
            edge = _take(waiting, edge.end, edge, join_corners)
            loop.append(edge)
        loops.append(loop)
    return loops


def _sides(cell: Cell, part: set[Cell], whole: set[Cell]) -> Iterator[Edge]:
    x, y = cell
    around = (
        ((x, y), (1, 0), (x, y - 1)),
        ((x + 1, y), (0, 1), (x + 1, y)),
        ((x + 1, y + 1), (-1, 0), (x, y + 1)),
        ((x, y + 1), (0, -1), (x - 1, y)),
    )
    for start, step, beyond in around:
        if beyond not in part:
            yield Edge(start, step, beyond not in whole)


def _take(waiting: dict[Cell, list[Edge]], at: Cell, before: Edge | None, join_corners: bool) -> Edge:
    """Remove and return the edge that leaves a point; at a corner contact there are two."""
    leaving = waiting[at]
    edge = leaving[0]
    if before is not None and len(leaving) == 2:
        rightward = next(e for e in leaving if _turn(before, e) > 0)
        edge = next(e for e in leaving if (e is rightward) != join_corners)
        if join_corners:
            # The other edge crosses the same neck: mark it now, while both are known.
            waiting[at] = leaving = [replace(e, after_neck=True) for e in leaving]
            edge = replace(edge, after_neck=True)
    leaving.remove(edge)
    if not leaving:
        del waiting[at]
    return edge


def _turn(before: Edge, after: Edge) -> int:
    """Return 1 for a right turn (a convex corner), -1 for a left turn, 0 for none."""
    return before.step[0] * after.step[1] - before.step[1] * after.step[0]


@dataclass(frozen=True, slots=True)
class Rounding:
    """Parameters of an outline: size and origin of the cells, inset of outer edges, radii of corners."""

    cell: float
    origin: Point
    inset: float
    convex: float
    concave: float


@dataclass(frozen=True, slots=True)
class _Corner:
    """A rounded corner: a cubic curve from `enter` to `leave` with two control points."""

    enter: Point
    leave: Point
    controls: tuple[Point, Point]


def closed(loops: list[Loop], how: Rounding) -> list[Segment]:
    """Return the loops as closed subpaths."""
    path: list[Segment] = []
    for loop in loops:
        corners = _corners(loop, how)
        path.append(("M", *corners[-1].leave))
        for corner in corners:
            path.extend(_round(corner))
        path.append(("Z",))
    return path


def _round(corner: _Corner) -> list[Segment]:
    path: list[Segment] = [("L", *corner.enter)]
    if corner.enter != corner.leave:
        path.append(("C", *corner.controls[0], *corner.controls[1], *corner.leave))
    return path


def _rounded(enter: Point, tip: Point, leave: Point) -> _Corner:
    """Return the quarter circle that replaces the corner at `tip`."""
    return _Corner(enter, leave, (_towards(enter, tip), _towards(leave, tip)))


def _towards(point: Point, tip: Point) -> Point:
    return point[0] + _ROUND * (tip[0] - point[0]), point[1] + _ROUND * (tip[1] - point[1])


def _corners(loop: Loop, how: Rounding) -> list[_Corner]:
    corners = []
    for before, after in zip([loop[-1], *loop[:-1]], loop, strict=True):
        at = (how.origin[0] + how.cell * after.start[0], how.origin[1] + how.cell * after.start[1])
        turn = _turn(before, after)
        if turn == 0:
            if before.outer != after.outer:
                corners.append(_seam(before, at, how.inset))
            continue
        a, b = (how.inset if edge.outer else 0.0 for edge in (before, after))
        if after.after_neck:
            corners.append(_neck(before, after, at, how))
            continue
        tip = _shift(_shift(at, before.inward, a), after.inward, b)
        radius = (how.convex if turn > 0 else how.concave) if before.outer and after.outer else 0.0
        corners.append(_rounded(_shift(tip, before.step, -radius), tip, _shift(tip, after.step, radius)))
    return corners


def _seam(before: Edge, at: Point, inset: float) -> _Corner:
    """Return the corner at which the outline of one colour meets the other colour."""
    edge = _shift(at, before.inward, inset)
    if before.outer:
        return _rounded(edge, _shift(edge, before.step, inset), _shift(at, before.step, inset))
    return _rounded(_shift(at, before.step, -inset), _shift(edge, before.step, -inset), edge)


def _neck(before: Edge, after: Edge, at: Point, how: Rounding) -> _Corner:
    """Return the corner that crosses from one cell to another at a corner contact: one side of a neck."""
    reach, pull = how.inset + how.cell * 0.27, how.cell * 0.16
    enter = _shift(_shift(at, before.inward, how.inset), before.step, -reach)
    leave = _shift(_shift(at, after.inward, how.inset), after.step, reach)
    return _Corner(enter, leave, (_shift(enter, before.step, pull), _shift(leave, after.step, -pull)))


def _shift(point: Point, direction: Cell, by: float) -> Point:
    return point[0] + direction[0] * by, point[1] + direction[1] * by
