"""Draw the bare board: frame, cells, nested boards, printed symbols and coordinates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.render.shapes import Circle, Group, Path, Segment, Shape, Text, line, rectangle
from taiji.render.theme import mix_colours
from taiji.rules import bits
from taiji.rules.geometry import LETTERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from taiji.render.board_layout import BoardLayout
    from taiji.render.description import Scene
    from taiji.render.theme import Theme

# Distance of the baseline below the middle of a line of digits, in font sizes.
BASELINE = 0.33


def board_shapes(scene: Scene, layout: BoardLayout, theme: Theme, hidden: int = 0) -> Iterator[Shape]:
    """Draw the board; cells in `hidden`, which pieces cover, are left out."""
    sizes = layout.sizes
    frame = rectangle(*layout.frame, sizes.frame_radius)
    yield Path(frame, theme["board"], theme["board_edge"], 1.25)
    yield from _nested(scene, layout, theme)
    yield _slots(scene.board.cells & ~hidden, layout, theme)
    holes: list[Segment] = []
    for cell in bits(scene.board.holes):
        holes.extend(rectangle(*layout.corner(cell), sizes.cell, sizes.cell))
    if holes:
        yield Path(tuple(holes), theme["paper"])
    for cell in bits(scene.start_cells):
        yield _start_mark(layout, cell, theme)
    yield from symbol_shapes(scene, layout, theme)


def _slots(cells: int, layout: BoardLayout, theme: Theme) -> Shape:
    """Draw the faint rounded outline of each cell, as the area between two rectangles."""
    sizes = layout.sizes
    path: list[Segment] = []
    for cell in bits(cells):
        x, y = layout.corner(cell)
        for inset in (sizes.slot_inset - 0.5, sizes.slot_inset + 0.5):
            side = sizes.cell - 2 * inset
            path += rectangle(x + inset, y + inset, side, side, sizes.slot_radius - inset + sizes.slot_inset)
    return Path(tuple(path), mix_colours(theme["slot_line"], theme["board"], 0.6), even_odd=True)


def _nested(scene: Scene, layout: BoardLayout, theme: Theme) -> Iterator[Shape]:
    """Tint the nested boards, the innermost strongest."""
    tints = [theme["ring_middle"], theme["ring_inner"]][-len(scene.nested_boards) :]
    for side, tint in zip(scene.nested_boards, tints, strict=False):
        skip = (scene.board.width - side) / 2 * layout.sizes.cell
        x, y = layout.origin
        length = side * layout.sizes.cell
        yield Path(rectangle(x + skip, y + skip, length, length, layout.sizes.slot_radius), tint)


def _start_mark(layout: BoardLayout, cell: int, theme: Theme) -> Shape:
    """Mark a cell that the first piece must cover, with a dot in a dashed ring."""
    at = layout.centre(cell)
    ring = Circle(at, layout.sizes.symbol_radius, None, theme["seal"], 2, dash=5)
    return Group((ring, Circle(at, 3, theme["seal"])), name="start")


def symbol_shapes(scene: Scene, layout: BoardLayout, theme: Theme) -> Iterator[Shape]:
    """Draw the visible symbols: a light X or a dark O, each with a rim."""
    width = layout.sizes.symbol_width
    free = ~(scene.covered | scene.ground)
    reach = layout.sizes.symbol_radius * 0.72
    crosses: list[Segment] = []
    for cell in bits(scene.symbols.light & free):
        x, y = layout.centre(cell)
        crosses += line((x - reach, y - reach), (x + reach, y + reach))
        crosses += line((x - reach, y + reach), (x + reach, y - reach))
    if crosses:
        yield Path(tuple(crosses), None, theme["ivory_rim"], width + 4.5)
        yield Path(tuple(crosses), None, theme["ivory"], width + 1.5)
    radius = layout.sizes.symbol_radius * 0.82
    for cell in bits(scene.symbols.dark & free):
        yield Circle(layout.centre(cell), radius, None, theme["sumi_rim"], width + 8)
        yield Circle(layout.centre(cell), radius, None, theme["sumi"], width + 1.5)


def coordinate_shapes(layout: BoardLayout, theme: Theme) -> Iterator[Shape]:
    """Draw the column letters below the board and the row numbers left of it."""
    size = layout.sizes.coordinate_font
    left, top, _, height = layout.frame
    for column in range(layout.board.width):
        x, _ = layout.centre(column)
        yield Text(
            (x, (top + height + layout.board_bottom) / 2 + size * BASELINE),
            LETTERS[column],
            size,
            theme["text"],
        )
    for row in range(layout.board.height):
        _, y = layout.centre(row * layout.board.width)
        yield Text((left / 2, y + size * BASELINE), str(row + 1), size, theme["text"])
