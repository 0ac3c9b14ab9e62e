"""Shapes: the primitives of pictures, which writers turn into SVG or PDF."""

from __future__ import annotations

from dataclasses import dataclass

Point = tuple[float, float]
Segment = tuple[str | float, ...]
"""A path command with absolute coordinates: `M x y`, `L x y`, `C x1 y1 x2 y2 x y` or `Z`."""

DOTS, DIAGONALS = "pattern:dots", "pattern:diagonals"
"""Fills with a pattern instead of a colour."""
GAP = 0.7
"""Length of a gap in a dashed line, relative to a dash."""


@dataclass(frozen=True, slots=True)
class Path:
    """A path with a fill, a stroke or both."""

    segments: tuple[Segment, ...]
    fill: str | None = None
    stroke: str | None = None
    width: float = 1.0
    fill_opacity: float = 1.0
    stroke_opacity: float = 1.0
    dash: float = 0.0
    even_odd: bool = False


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle with a fill, a stroke or both."""

    centre: Point
    radius: float
    fill: str | None = None
    stroke: str | None = None
    width: float = 1.0
    opacity: float = 1.0
    dash: float = 0.0


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text on a baseline."""

    at: Point
    text: str
    size: float
    fill: str
    anchor: str = "middle"
    """`start`, `middle` or `end`."""
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Shapes drawn together, with opacity, offset, scale and a title for screen readers."""

    shapes: tuple[Shape, ...]
    opacity: float = 1.0
    move: Point = (0.0, 0.0)
    scale: float = 1.0
    title: str = ""
    name: str = ""
    """Class of the group, for style sheets."""
    key: str = ""
    """Groups with the same key have the same shapes; writers may define them once and reuse them."""


Shape = Path | Circle | Text | Group


def line(*points: Point) -> tuple[Segment, ...]:
    """Return an open path through the points."""
    return tuple(("L" if i else "M", *point) for i, point in enumerate(points))


def polygon(*points: Point) -> tuple[Segment, ...]:
    """Return a closed path through the points."""
    return (*line(*points), ("Z",))


def rectangle(x: float, y: float, width: float, height: float, radius: float = 0.0) -> tuple[Segment, ...]:
    """Return a rectangle with rounded corners."""
    right, bottom = x + width, y + height
    if radius <= 0:
        return polygon((x, y), (right, y), (right, bottom), (x, bottom))
    r = min(radius, width / 2, height / 2)
    k = r * (1 - 0.5523)
    return (
        ("M", x + r, y),
        ("L", right - r, y),
        ("C", right - k, y, right, y + k, right, y + r),
        ("L", right, bottom - r),
        ("C", right, bottom - k, right - k, bottom, right - r, bottom),
        ("L", x + r, bottom),
        ("C", x + k, bottom, x, bottom - k, x, bottom - r),
        ("L", x, y + r),
        ("C", x, y + k, x + k, y, x + r, y),
        ("Z",),
    )
