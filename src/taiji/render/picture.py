"""Compose the picture of a position: its shapes in drawing order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from taiji.render.board_layout import CAPTION_HEIGHT, BoardLayout
from taiji.render.boards import board_shapes, coordinate_shapes
from taiji.render.marks import arrow_shapes, ghost_shapes, last_move, note_shapes, scoring_group_shapes
from taiji.render.shapes import Point, Shape, Text
from taiji.render.theme import Theme, theme
from taiji.render.tiles import GROUND, PIECE, SHADOW, STEP_SHADOW, place_tile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from taiji.render.description import Scene, Tile


@dataclass(frozen=True)
class Style:
    """The style of a picture: its theme, and whether coordinates are shown."""

    theme: str = "paper"
    coordinates: bool = True


DEFAULT_STYLE = Style()


@dataclass(frozen=True)
class Picture:
    """A drawn picture: size, shapes, theme and alternative text."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    theme: Theme
    alt_text: str = ""
    unit: str = ""
    """Unit of lengths, such as `mm`; empty for pictures that scale."""
    origin: Point = (0.0, 0.0)
    """Top left corner of the visible part."""
    transparent: bool = False
    """Whether the background is transparent."""


def compose(scene: Scene, style: Style = DEFAULT_STYLE, *, room_for_caption: bool = False) -> Picture:
    """Return the picture of a scene; `room_for_caption` leaves room even without a caption."""
    layout = BoardLayout(scene.board, style.coordinates, room_for_caption or bool(scene.caption))
    colours = theme(style.theme)
    return Picture(
        layout.width, layout.height, tuple(_shapes(scene, layout, colours)), colours, scene.alt_text
    )


def _shapes(scene: Scene, layout: BoardLayout, colours: Theme) -> Iterator[Shape]:
    yield from board_shapes(scene, layout, colours, hidden=scene.covered | scene.ground)
    if layout.coordinates:
        yield from coordinate_shapes(layout, colours)
    yield from layers(scene, layout, colours)
    yield from marks(scene, layout, colours)


def layers(scene: Scene, layout: BoardLayout, colours: Theme) -> Iterator[Shape]:
    """Draw the pieces, layer by layer."""
    for layer in scene.layers[:-1]:
        yield from ground(layer, scene, layout, colours)
    yield from pieces(scene.layers[-1], scene, layout, colours)


def ground(tiles: Iterable[Tile], scene: Scene, layout: BoardLayout, colours: Theme) -> Iterator[Shape]:
    """Draw the visible pieces of a lower layer."""
    seen = [tile for tile in tiles if tile.cells & ~scene.covered]
    yield from (place_tile(tile, layout, colours, SHADOW) for tile in seen)
    yield from (place_tile(tile, layout, colours, GROUND, dots=scene.ground_counts) for tile in seen)


def pieces(tiles: Iterable[Tile], scene: Scene, layout: BoardLayout, colours: Theme) -> Iterator[Shape]:
    """Draw pieces of the current stage; those on top of others have a longer shadow."""
    laid = tuple(tiles)
    for tile in laid:
        yield place_tile(tile, layout, colours, STEP_SHADOW if tile.cells & scene.ground else SHADOW)
    yield from (place_tile(tile, layout, colours, PIECE) for tile in laid)


def marks(scene: Scene, layout: BoardLayout, colours: Theme) -> Iterator[Shape]:
    """Draw ghosts, last move, groups, arrows, notes and the caption."""
    for ghost in scene.ghosts:
        yield from ghost_shapes(ghost, layout, colours)
    yield from last_move(scene, layout, colours)
    for group in scene.scoring_groups:
        yield scoring_group_shapes(group, layout, colours)
    for arrow in scene.arrows:
        yield from arrow_shapes(arrow, layout, colours)
    for note in scene.notes:
        yield from note_shapes(note, layout, colours)
    if scene.caption:
        yield caption_text(scene.caption, layout, colours)


def caption_text(caption: str, layout: BoardLayout, colours: Theme) -> Text:
    """Return the caption under the board, in smaller type if it is long."""
    at = (layout.width / 2, layout.height - CAPTION_HEIGHT * 0.42)
    room = (layout.width - 12) / (0.56 * max(len(caption), 1))
    return Text(at, caption, min(16.0, room), colours["ink"])
