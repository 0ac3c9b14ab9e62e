"""Draw pieces as rounded objects with a soft shadow.

Equal pieces are drawn once, in their own coordinates, and reused at every position.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from taiji.render.outline import Cell, Rounding, closed, trace
from taiji.render.shapes import DIAGONALS, DOTS, Circle, Group, Path, Segment, Shape, line, rectangle
from taiji.render.theme import Theme, geometry, mix_colours, nearly_equal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from taiji.render.board_layout import BoardLayout
    from taiji.render.description import Tile

PIECE, GROUND, SHADOW, STEP_SHADOW = "piece", "ground", "shadow", "step-shadow"
"""Roles of a drawing: the piece, the piece as ground of the next layer, or one of its shadows."""

GROUND_THICKNESS = 2.6
"""Height of the visible side of a piece in a lower layer."""


class PieceShape(NamedTuple):
    """The shape of a piece in its own coordinates: its cells by colour."""

    kind: str
    kind_index: int
    light: tuple[Cell, ...]
    dark: tuple[Cell, ...]
    plain: tuple[Cell, ...]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells."""
        return self.light + self.dark + self.plain


def place_tile(tile: Tile, layout: BoardLayout, theme: Theme, role: str, *, dots: bool = True) -> Group:
    """Draw a piece, or its shadow, at its position."""
    cells_xy = {
        name: layout.cells_xy(mask)
        for name, mask in (("all", tile.cells), ("l", tile.light), ("d", tile.dark))
    }
    left, top = min(x for x, _ in cells_xy["all"]), min(y for _, y in cells_xy["all"])

    def framed(cells: list[Cell]) -> tuple[Cell, ...]:
        return tuple((x - left, y - top) for x, y in cells)

    plain = () if tile.light or tile.dark else framed(cells_xy["all"])
    shape = PieceShape(tile.kind, tile.kind_index, framed(cells_xy["l"]), framed(cells_xy["d"]), plain)
    x, y = layout.origin
    shapes, key = _cached_shapes(shape, role, theme, dots)
    side = layout.sizes.cell
    title = tile.name if role in (PIECE, GROUND) else ""
    return Group(shapes, move=(x + left * side, y + top * side), title=title, name=role, key=key)


@lru_cache(maxsize=2048)
def _cached_shapes(shape: PieceShape, role: str, theme: Theme, dots: bool) -> tuple[tuple[Shape, ...], str]:
    """Return the shapes of a piece in its own coordinates, and a key that is equal only for equal shapes."""
    if role == PIECE:
        shapes = tuple(piece_shapes(shape, theme))
    elif role == GROUND:
        shapes = tuple(_ground(shape, theme, dots))
    else:
        shapes = tuple(_shadow(shape, theme, role))
    return shapes, role[0] + sha256(repr(shapes).encode()).hexdigest()[:10]


def _outline(cells: tuple[Cell, ...], inset: float, radius: float, down: float = 0.0) -> tuple[Segment, ...]:
    """Return the outline of a piece; corner contacts are joined."""
    how = Rounding(geometry().cell, (0.0, down), inset, radius, max(inset, 1.0))
    return tuple(closed(trace(cells, join_corners=True), how))


def _squares(
    cells: tuple[Cell, ...], whole: tuple[Cell, ...], inset: float, radius: float
) -> tuple[Segment, ...]:
    """Return the outline of the squares of one colour, without an inset towards the other colour."""
    how = Rounding(geometry().cell, (0.0, 0.0), inset, radius, inset)
    return tuple(closed(trace(cells, whole), how))


def _shadow(shape: PieceShape, theme: Theme, role: str) -> Iterator[Shape]:
    """Draw the shadow of a piece without SVG filters, which not every viewer supports.

    On the bare board it is a set of opaque strips below the piece, as translucent or large shapes make a PNG
    slow. On top of other pieces it is a translucent band around the piece.
    """
    sizes = geometry()
    shade = theme.shadow_opacity
    if not shade:
        return
    if role == SHADOW:
        path = tuple(segment for run in _bottom_runs(shape.cells) for segment in _strip(run))
        yield Path(path, mix_colours(theme["shadow"], theme["board"], 0.75 * shade))
        return
    down, outset = sizes.step_shadow_dy, 0.9 * sizes.step_shadow_blur
    hidden = sizes.piece_gap + down + 2
    inside = _outline(shape.cells, hidden, max(sizes.piece_radius - hidden, 1.0), down)
    path = _outline(shape.cells, sizes.piece_gap - outset, sizes.piece_radius + outset, down)
    yield Path(path + inside, theme["shadow"], fill_opacity=0.7 * shade, even_odd=True)


def _bottom_runs(cells: tuple[Cell, ...]) -> Iterator[tuple[int, int, int]]:
    """Yield the runs of cells at the bottom of a piece: first column, last column and row."""
    free = sorted(((y, x) for x, y in cells if (x, y + 1) not in cells))
    for y, x in free:
        if (y, x - 1) not in free:
            last = x
            while (y, last + 1) in free:
                last += 1
            yield x, last, y


def _strip(run: tuple[int, int, int]) -> tuple[Segment, ...]:
    """Return the shadow below a run of cells; it reaches under the rounded corners of the piece."""
    sizes = geometry()
    first, last, row = run
    outset = 0.7 * sizes.shadow_blur
    left = first * sizes.cell + sizes.piece_gap - outset
    right = (last + 1) * sizes.cell - sizes.piece_gap + outset
    edge = (row + 1) * sizes.cell - sizes.piece_gap
    height = 2 * sizes.piece_radius
    radius = sizes.piece_radius + outset
    return rectangle(left, edge - height, right - left, height + sizes.shadow_dy + outset, radius)


def piece_shapes(shape: PieceShape, theme: Theme) -> Iterator[Shape]:
    """Draw a piece in its own coordinates."""
    sizes = geometry()
    gap, radius = sizes.piece_gap, sizes.piece_radius
    tinted = len(shape.cells) > 2
    rim = sizes.shape_rim_width if tinted else sizes.rim_width
    if tinted or shape.plain:
        yield Path(_outline(shape.cells, gap, radius), theme.rim_colour(shape.kind, shape.kind_index))
    elif len(trace(shape.cells)) > 1:
        # Squares with a corner contact are joined by a neck.
        yield Path(_outline(shape.cells, gap, radius), theme["joint"])
    if shape.plain:
        tint = theme.tint_colour(shape.kind, shape.kind_index)
        yield Path(_outline(shape.cells, gap + rim, radius - rim), tint)
    halves = ((shape.light, "ivory", DOTS), (shape.dark, "sumi", DIAGONALS))
    for cells, fill, pattern in halves:
        if not cells:
            continue
        edge = rim
        if not tinted and nearly_equal(theme[fill], theme[f"{fill}_rim"]):
            edge = 0.0  # skip an invisible rim
        elif not tinted:
            yield Path(_squares(cells, shape.cells, gap, radius), theme[f"{fill}_rim"])
        inside = _squares(cells, shape.cells, gap + edge, radius - edge)
        yield Path(inside, theme[fill])
        if theme.patterns:
            yield Path(inside, pattern)
    yield from _joints(shape, theme)
    yield from _dots(shape, theme)


def _ground(shape: PieceShape, theme: Theme, dots: bool) -> Iterator[Shape]:
    """Draw a piece of a lower layer: inset, duller, with a visible side; dots only if its colours count."""
    sizes = geometry()
    gap, radius = sizes.piece_gap + sizes.ground_inset, sizes.ground_radius
    tinted = len(shape.cells) > 2
    yield Path(_outline(shape.cells, gap, radius, GROUND_THICKNESS), theme["ground_side"])
    rim = theme.rim_colour(shape.kind, shape.kind_index) if tinted else theme["ground_rim"]
    yield Path(_outline(shape.cells, gap, radius), rim)
    width = 1.6 if tinted else 1.0
    if shape.plain:
        yield Path(_outline(shape.cells, gap + width, radius - width), theme["piece_plain"])
    # Squares that count keep their colours; the others are duller.
    light, dark = ("ivory", "sumi") if dots else ("ground_ivory", "ground_sumi")
    for cells, fill, pattern in ((shape.light, light, DOTS), (shape.dark, dark, DIAGONALS)):
        if cells:
            inside = _squares(cells, shape.cells, gap + width, radius - width)
            yield Path(inside, theme[fill])
            if theme.patterns:
                yield Path(inside, pattern, fill_opacity=0.6)
    if dots:
        yield from _dots(shape, theme)


def _joints(shape: PieceShape, theme: Theme) -> Iterator[Shape]:
    """Draw a thin line between adjacent squares of the same colour."""
    sizes = geometry()
    inks = (
        (shape.light, theme["joint"], 0.5),
        (shape.dark, theme["ivory"], 0.2),
        (shape.plain, theme.rim_colour(shape.kind, shape.kind_index), 0.55),
    )
    reach = sizes.cell / 2 - sizes.piece_gap - sizes.shape_rim_width
    for cells, ink, strength in inks:
        path: list[Segment] = []
        for x, y in cells:
            if (x + 1, y) in cells:
                at, middle = sizes.cell * (x + 1), sizes.cell * (y + 0.5)
                path += line((at, middle - reach), (at, middle + reach))
            if (x, y + 1) in cells:
                at, middle = sizes.cell * (y + 1), sizes.cell * (x + 0.5)
                path += line((middle - reach, at), (middle + reach, at))
        if path:
            yield Path(tuple(path), None, ink, sizes.joint_width, stroke_opacity=strength)


def _dots(shape: PieceShape, theme: Theme) -> Iterator[Shape]:
    """Draw a small dot of the other colour in each square, as in the yin-yang symbol."""
    sizes = geometry()
    for cells, ink in ((shape.light, "sumi"), (shape.dark, "ivory")):
        for x, y in cells:
            yield Circle((sizes.cell * (x + 0.5), sizes.cell * (y + 0.5)), sizes.dot_radius, theme[ink])
