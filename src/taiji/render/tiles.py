"""Draws pieces: one rounded object each, its squares meeting without a gap, with a soft shadow.

Pieces that look alike are drawn once, in a frame of their own, and shared by all the places where they lie.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from taiji.render.look import Theme, alike, geometry, mixed
from taiji.render.outline import Cell, Rounding, closed, trace
from taiji.render.shapes import DIAGONALS, DOTS, Circle, Group, Path, Segment, Shape, line, rectangle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from taiji.render.description import Tile
    from taiji.render.plan import Plan

PIECE, GROUND, SHADOW, STEP_SHADOW = "piece", "ground", "shadow", "step-shadow"
"""What is drawn of a piece: itself, itself as the ground of the next layer, or its shadow."""

GROUND_THICKNESS = 2.6
"""How much of its side a piece shows that others may be laid upon."""


class Form(NamedTuple):
    """How a piece looks, wherever it lies: its cells in a frame of their own, by colour."""

    kind: str
    kind_index: int
    light: tuple[Cell, ...]
    dark: tuple[Cell, ...]
    plain: tuple[Cell, ...]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All of its cells."""
        return self.light + self.dark + self.plain


def placed(tile: Tile, plan: Plan, theme: Theme, role: str, *, dots: bool = True) -> Group:
    """Draw a piece, or its shadow, where it lies."""
    places = {
        name: plan.places(mask) for name, mask in (("all", tile.cells), ("l", tile.light), ("d", tile.dark))
    }
    left, top = min(x for x, _ in places["all"]), min(y for _, y in places["all"])

    def framed(cells: list[Cell]) -> tuple[Cell, ...]:
        return tuple((x - left, y - top) for x, y in cells)

    plain = () if tile.light or tile.dark else framed(places["all"])
    form = Form(tile.kind, tile.kind_index, framed(places["l"]), framed(places["d"]), plain)
    x, y = plan.origin
    shapes, key = _drawn(form, role, theme, dots)
    side = plan.sizes.cell
    title = tile.name if role in (PIECE, GROUND) else ""
    return Group(shapes, move=(x + left * side, y + top * side), title=title, name=role, key=key)


@lru_cache(maxsize=2048)
def _drawn(form: Form, role: str, theme: Theme, dots: bool) -> tuple[tuple[Shape, ...], str]:
    """Draw a form in its own frame; the key is the same only for the same drawing."""
    if role == PIECE:
        shapes = tuple(form_shapes(form, theme))
    elif role == GROUND:
        shapes = tuple(_ground(form, theme, dots))
    else:
        shapes = tuple(_soft(form, theme, role))
    return shapes, role[0] + sha256(repr(shapes).encode()).hexdigest()[:10]


def _outline(cells: tuple[Cell, ...], inset: float, radius: float, down: float = 0.0) -> tuple[Segment, ...]:
    """Return the outline of a piece; squares that touch at a corner only are joined there."""
    how = Rounding(geometry().cell, (0.0, down), inset, radius, max(inset, 1.0))
    return tuple(closed(trace(cells, join_corners=True), how))


def _squares(
    cells: tuple[Cell, ...], whole: tuple[Cell, ...], inset: float, radius: float
) -> tuple[Segment, ...]:
    """Return the outline of the squares of one colour; it ends flush where the other colour begins."""
    how = Rounding(geometry().cell, (0.0, 0.0), inset, radius, inset)
    return tuple(closed(trace(cells, whole), how))


def _soft(form: Form, theme: Theme, role: str) -> Iterator[Shape]:
    """Draw the shadow of a piece without filters, which not every program that shows SVG has.

    On the bare board it reaches no other piece: strips below the piece, of the colour it gives the board, as
    what is translucent or large makes a PNG slow. On other pieces it is a translucent band round the piece.
    """
    sizes = geometry()
    shade = theme.shadow_opacity
    if not shade:
        return
    if role == SHADOW:
        path = tuple(segment for run in _bottoms(form.cells) for segment in _strip(run))
        yield Path(path, mixed(theme["shadow"], theme["board"], 0.75 * shade))
        return
    down, outset = sizes.step_shadow_dy, 0.9 * sizes.step_shadow_blur
    hidden = sizes.piece_gap + down + 2
    inside = _outline(form.cells, hidden, max(sizes.piece_radius - hidden, 1.0), down)
    path = _outline(form.cells, sizes.piece_gap - outset, sizes.piece_radius + outset, down)
    yield Path(path + inside, theme["shadow"], fill_opacity=0.7 * shade, even_odd=True)


def _bottoms(cells: tuple[Cell, ...]) -> Iterator[tuple[int, int, int]]:
    """Yield the runs of cells with nothing of the piece below them: first column, last column and row."""
    free = sorted(((y, x) for x, y in cells if (x, y + 1) not in cells))
    for y, x in free:
        if (y, x - 1) not in free:
            last = x
            while (y, last + 1) in free:
                last += 1
            yield x, last, y


def _strip(run: tuple[int, int, int]) -> tuple[Segment, ...]:
    """Return the shadow below a run of cells, reaching under the piece as far as its corners are round."""
    sizes = geometry()
    first, last, row = run
    outset = 0.7 * sizes.shadow_blur
    left = first * sizes.cell + sizes.piece_gap - outset
    right = (last + 1) * sizes.cell - sizes.piece_gap + outset
    edge = (row + 1) * sizes.cell - sizes.piece_gap
    height = 2 * sizes.piece_radius
    radius = sizes.piece_radius + outset
    return rectangle(left, edge - height, right - left, height + sizes.shadow_dy + outset, radius)


def form_shapes(form: Form, theme: Theme) -> Iterator[Shape]:
    """Draw a piece in its own frame."""
    sizes = geometry()
    gap, radius = sizes.piece_gap, sizes.piece_radius
    tinted = len(form.cells) > 2
    rim = sizes.shape_rim_width if tinted else sizes.rim_width
    if tinted or form.plain:
        yield Path(_outline(form.cells, gap, radius), theme.rim_of(form.kind, form.kind_index))
    elif len(trace(form.cells)) > 1:
        # Halves that touch at a corner only hang together by a neck.
        yield Path(_outline(form.cells, gap, radius), theme["joint"])
    if form.plain:
        tint = theme.tint_of(form.kind, form.kind_index)
        yield Path(_outline(form.cells, gap + rim, radius - rim), tint)
    halves = ((form.light, "ivory", DOTS), (form.dark, "sumi", DIAGONALS))
    for cells, fill, pattern in halves:
        if not cells:
            continue
        edge = rim
        if not tinted and alike(theme[fill], theme[f"{fill}_rim"]):
            edge = 0.0  # a rim that nobody sees is not drawn
        elif not tinted:
            yield Path(_squares(cells, form.cells, gap, radius), theme[f"{fill}_rim"])
        inside = _squares(cells, form.cells, gap + edge, radius - edge)
        yield Path(inside, theme[fill])
        if theme.patterns:
            yield Path(inside, pattern)
    yield from _joints(form, theme)
    yield from _dots(form, theme)


def _ground(form: Form, theme: Theme, dots: bool) -> Iterator[Shape]:
    """Draw a piece of the layer below: inset and quieter, its side seen; dots only while colours count."""
    sizes = geometry()
    gap, radius = sizes.piece_gap + sizes.ground_inset, sizes.ground_radius
    tinted = len(form.cells) > 2
    yield Path(_outline(form.cells, gap, radius, GROUND_THICKNESS), theme["ground_side"])
    rim = theme.rim_of(form.kind, form.kind_index) if tinted else theme["ground_rim"]
    yield Path(_outline(form.cells, gap, radius), rim)
    width = 1.6 if tinted else 1.0
    if form.plain:
        yield Path(_outline(form.cells, gap + width, radius - width), theme["piece_plain"])
    # Squares that still count keep their colours; those that do not are duller.
    light, dark = ("ivory", "sumi") if dots else ("ground_ivory", "ground_sumi")
    for cells, fill, pattern in ((form.light, light, DOTS), (form.dark, dark, DIAGONALS)):
        if cells:
            inside = _squares(cells, form.cells, gap + width, radius - width)
            yield Path(inside, theme[fill])
            if theme.patterns:
                yield Path(inside, pattern, fill_opacity=0.6)
    if dots:
        yield from _dots(form, theme)


def _joints(form: Form, theme: Theme) -> Iterator[Shape]:
    """Draw a fine line where two squares of a piece of the same colour meet."""
    sizes = geometry()
    inks = (
        (form.light, theme["joint"], 0.5),
        (form.dark, theme["ivory"], 0.2),
        (form.plain, theme.rim_of(form.kind, form.kind_index), 0.55),
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


def _dots(form: Form, theme: Theme) -> Iterator[Shape]:
    """Draw the small dot of the other colour in each square, as in the yin-yang."""
    sizes = geometry()
    for cells, ink in ((form.light, "sumi"), (form.dark, "ivory")):
        for x, y in cells:
            yield Circle((sizes.cell * (x + 0.5), sizes.cell * (y + 0.5)), sizes.dot_radius, theme[ink])
