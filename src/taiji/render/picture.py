"""Puts a picture of a position together: the shapes in the order in which they are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from taiji.render.boards import board_shapes, coordinate_shapes
from taiji.render.look import Theme, theme
from taiji.render.marks import arrow_shapes, count_shapes, ghost_shapes, last_move, note_shapes
from taiji.render.plan import CAPTION_HEIGHT, Plan
from taiji.render.shapes import Shape, Text
from taiji.render.tiles import GROUND, PIECE, SHADOW, STEP_SHADOW, placed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from taiji.render.description import Scene


@dataclass(frozen=True)
class Style:
    """How pictures look: the theme, and whether the coordinates are written."""

    theme: str = "paper"
    coordinates: bool = True


@dataclass(frozen=True)
class Picture:
    """A drawn picture: its size in its own units, its shapes, and what it shows in words."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    theme: Theme
    words: str = ""
    unit: str = ""
    """The unit of its lengths, such as `mm`; none for pictures that scale."""


def compose(scene: Scene, style: Style = Style()) -> Picture:  # noqa: B008 - a frozen value
    """Draw a scene."""
    plan = Plan(scene.board, style.coordinates, bool(scene.caption))
    colours = theme(style.theme)
    return Picture(plan.width, plan.height, tuple(_shapes(scene, plan, colours, style)), colours, scene.words)


def _shapes(scene: Scene, plan: Plan, colours: Theme, style: Style) -> Iterator[Shape]:
    yield from board_shapes(scene, plan, colours, hidden=scene.covered | scene.ground)
    if style.coordinates:
        yield from coordinate_shapes(plan, colours)
    yield from layers(scene, plan, colours)
    for ghost in scene.ghosts:
        yield from ghost_shapes(ghost, plan, colours)
    yield from last_move(scene, plan, colours)
    for count in scene.counts:
        yield count_shapes(count, plan, colours)
    for arrow in scene.arrows:
        yield from arrow_shapes(arrow, plan, colours)
    for note in scene.notes:
        yield from note_shapes(note, plan, colours)
    if scene.caption:
        at = (plan.width / 2, plan.height - CAPTION_HEIGHT * 0.42)
        yield Text(at, scene.caption, 16, colours["ink"])


def layers(scene: Scene, plan: Plan, colours: Theme) -> Iterator[Shape]:
    """Draw the pieces, layer upon layer."""
    for layer in scene.layers[:-1]:
        yield from (placed(tile, plan, colours, STEP_SHADOW) for tile in layer)
        yield from (placed(tile, plan, colours, GROUND, dots=scene.ground_counts) for tile in layer)
    top = scene.layers[-1]
    for tile in top:
        yield placed(tile, plan, colours, STEP_SHADOW if tile.cells & scene.ground else SHADOW)
    for tile in top:
        yield placed(tile, plan, colours, PIECE)
