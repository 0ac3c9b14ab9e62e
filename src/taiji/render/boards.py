"""Draws the bare board: frame, cells, nested boards, printed symbols and coordinates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.render.look import mixed
from taiji.render.shapes import Circle, Group, Path, Segment, Shape, Text, line, rectangle
from taiji.rules import bits
from taiji.rules.geometry import LETTERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from taiji.render.description import Scene
    from taiji.render.look import Theme
    from taiji.render.plan import Plan

# Where the baseline lies under the middle of a line of figures, in font sizes.
BASELINE = 0.33


def board_shapes(scene: Scene, plan: Plan, theme: Theme, hidden: int = 0) -> Iterator[Shape]:
    """Draw the board that pieces lie on; the cells that stay hidden under them are left out."""
    sizes = plan.sizes
    frame = rectangle(*plan.frame, sizes.frame_radius)
    yield Path(frame, theme["board"], theme["board_edge"], 1.25)
    yield from _nested(scene, plan, theme)
    yield _slots(scene.board.cells & ~hidden, plan, theme)
    holes: list[Segment] = []
    for cell in bits(scene.board.holes):
        holes.extend(rectangle(*plan.corner(cell), sizes.cell, sizes.cell))
    if holes:
        yield Path(tuple(holes), theme["paper"])
    for cell in bits(scene.start_cells):
        yield _start_mark(plan, cell, theme)
    yield from symbol_shapes(scene, plan, theme)


def _slots(cells: int, plan: Plan, theme: Theme) -> Shape:
    """Draw the faint rounded line of each cell, as the space between two rectangles."""
    sizes = plan.sizes
    path: list[Segment] = []
    for cell in bits(cells):
        x, y = plan.corner(cell)
        for inset in (sizes.slot_inset - 0.5, sizes.slot_inset + 0.5):
            side = sizes.cell - 2 * inset
            path += rectangle(x + inset, y + inset, side, side, sizes.slot_radius - inset + sizes.slot_inset)
    return Path(tuple(path), mixed(theme["slot_line"], theme["board"], 0.6), even_odd=True)


def _nested(scene: Scene, plan: Plan, theme: Theme) -> Iterator[Shape]:
    """Tint the smaller boards inside a board, the innermost most."""
    tints = [theme["ring_middle"], theme["ring_inner"]][-len(scene.rings) :]
    for side, tint in zip(scene.rings, tints, strict=False):
        skip = (scene.board.width - side) / 2 * plan.sizes.cell
        x, y = plan.origin
        length = side * plan.sizes.cell
        yield Path(rectangle(x + skip, y + skip, length, length, plan.sizes.slot_radius), tint)


def _start_mark(plan: Plan, cell: int, theme: Theme) -> Shape:
    """Mark a cell that the first piece has to cover with a dot in a broken ring."""
    at = plan.centre(cell)
    ring = Circle(at, plan.sizes.symbol_radius, None, theme["seal"], 2, dash=5)
    return Group((ring, Circle(at, 3, theme["seal"])), name="start")


def symbol_shapes(scene: Scene, plan: Plan, theme: Theme) -> Iterator[Shape]:
    """Draw the printed symbols that no piece covers: a light X, a dark O, each with a rim."""
    width = plan.sizes.symbol_width
    free = ~(scene.covered | scene.ground)
    reach = plan.sizes.symbol_radius * 0.72
    crosses: list[Segment] = []
    for cell in bits(scene.symbols.light & free):
        x, y = plan.centre(cell)
        crosses += line((x - reach, y - reach), (x + reach, y + reach))
        crosses += line((x - reach, y + reach), (x + reach, y - reach))
    if crosses:
        yield Path(tuple(crosses), None, theme["ivory_rim"], width + 4.5)
        yield Path(tuple(crosses), None, theme["ivory"], width + 1.5)
    radius = plan.sizes.symbol_radius * 0.82
    for cell in bits(scene.symbols.dark & free):
        yield Circle(plan.centre(cell), radius, None, theme["sumi_rim"], width + 4)
        yield Circle(plan.centre(cell), radius, None, theme["sumi"], width + 1.5)


def coordinate_shapes(plan: Plan, theme: Theme) -> Iterator[Shape]:
    """Write the letters of the columns below the board and the numbers of the rows to its left."""
    size = plan.sizes.coordinate_font
    left, top, _, height = plan.frame
    for column in range(plan.board.width):
        x, _ = plan.centre(column)
        yield Text(
            (x, (top + height + plan.board_bottom) / 2 + size * BASELINE),
            LETTERS[column],
            size,
            theme["text"],
        )
    for row in range(plan.board.height):
        _, y = plan.centre(row * plan.board.width)
        yield Text((left / 2, y + size * BASELINE), str(row + 1), size, theme["text"])
