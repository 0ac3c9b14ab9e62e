"""Draw the marks on a board: last move, groups that count, ghosts, arrows and notes."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

from taiji.render.boards import BASELINE
from taiji.render.outline import closed, trace
from taiji.render.shapes import Circle, Group, Path, Shape, Text, line, polygon, rectangle
from taiji.render.tiles import PIECE, place_tile
from taiji.rules import Adjacency, Colour, bits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from taiji.render.board_layout import BoardLayout
    from taiji.render.description import Arrow, Ghost, Note, Scene, ScoringGroup
    from taiji.render.theme import Theme

ACCENTS = {Colour.LIGHT: "amber", Colour.DARK: "teal"}
"""Outline colour of the groups that count."""


def last_move(scene: Scene, layout: BoardLayout, theme: Theme) -> Iterator[Shape]:
    """Draw a red outline around the last piece."""
    if scene.last:
        sizes = layout.sizes
        how = layout.rounding(
            sizes.piece_gap - sizes.last_outset, sizes.piece_radius + sizes.last_outset, sizes.piece_gap
        )
        path = closed(trace(layout.cells_xy(scene.last), join_corners=True), how)
        yield Path(tuple(path), None, theme["seal"], sizes.last_width)


def scoring_group_shapes(group: ScoringGroup, layout: BoardLayout, theme: Theme) -> Group:
    """Draw a rounded outline around a group, with its size in a badge."""
    sizes = layout.sizes
    accent = ACCENTS[group.colour]
    loops = trace(layout.cells_xy(group.cells), join_corners=group.adjacency is Adjacency.KING)
    path = tuple(
        closed(loops, layout.rounding(sizes.outline_inset, sizes.outline_radius, sizes.outline_radius))
    )
    x, y = layout.centre(badge_cell(group.cells, layout))
    return Group(
        (
            Path(path, None, theme[accent], sizes.outline_width),
            Circle((x, y), sizes.badge_radius, theme[accent]),
            Text(
                (x, y + sizes.badge_font * BASELINE),
                str(group.size),
                sizes.badge_font,
                theme[f"{accent}_ink"],
                bold=True,
            ),
        ),
        title=f"a group of {group.size}",
        name="count",
    )


def badge_cell(mask: int, layout: BoardLayout) -> int:
    """Return the cell of a group that is nearest to its centre."""
    cells = list(bits(mask))
    places = [layout.cell_xy(cell) for cell in cells]
    x = sum(column for column, _ in places) / len(places)
    y = sum(row for _, row in places) / len(places)
    return min(
        cells,
        key=lambda cell: (round(hypot(layout.cell_xy(cell)[0] - x, layout.cell_xy(cell)[1] - y), 6), cell),
    )


def ghost_shapes(ghost: Ghost, layout: BoardLayout, theme: Theme) -> Iterator[Shape]:
    """Draw a piece that is not placed yet, with a red outline if it is not allowed."""
    yield Group(
        (place_tile(ghost.tile, layout, theme, PIECE),), opacity=layout.sizes.ghost_opacity, name="ghost"
    )
    if not ghost.allowed:
        how = layout.rounding(layout.sizes.piece_gap, layout.sizes.piece_radius)
        path = closed(trace(layout.cells_xy(ghost.tile.cells), join_corners=True), how)
        yield Path(tuple(path), None, theme["bad"], layout.sizes.last_width, dash=6)


def arrow_shapes(arrow: Arrow, layout: BoardLayout, theme: Theme) -> Iterator[Shape]:
    """Draw an arrow between two cells."""
    (ax, ay), (bx, by) = layout.centre(arrow.start), layout.centre(arrow.end)
    length = hypot(bx - ax, by - ay)
    if not length:
        yield Circle((ax, ay), layout.sizes.cell * 0.36, None, theme["seal"], 4, 0.85)
        return
    ux, uy = (bx - ax) / length, (by - ay) / length
    head, half = 19.0, 10.0
    neck = (bx - ux * head, by - uy * head)
    shaft = line((ax, ay), (bx - ux * (head - 1), by - uy * (head - 1)))
    tip = polygon(
        (bx, by), (neck[0] - uy * half, neck[1] + ux * half), (neck[0] + uy * half, neck[1] - ux * half)
    )
    yield Group(
        (Path(shaft, None, theme["seal"], 6.5), Path(tip, theme["seal"]), Circle((ax, ay), 6, theme["seal"])),
        opacity=0.86,
        name="arrow",
    )


def note_shapes(note: Note, layout: BoardLayout, theme: Theme) -> Iterator[Shape]:
    """Draw a short text on a cell, on a label that is readable on any piece."""
    x, y = layout.centre(note.cell)
    size = 15.0 if len(note.text) <= 4 else 12.0
    width = max(22.0, 10 + size * 0.56 * len(note.text))
    height = size + 8
    box = rectangle(x - width / 2, y - height / 2, width, height, height / 2)
    yield Group(
        (
            Path(box, theme["raised"], theme["seal"], 1.5),
            Text((x, y + size * BASELINE), note.text, size, theme["ink"], bold=True),
        ),
        name="note",
    )
