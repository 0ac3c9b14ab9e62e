"""Write a record as an SVG document that is animated by its style sheet.

Viewers without animations, and readers who ask for reduced motion, see the last position.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from taiji.render.board_layout import BoardLayout
from taiji.render.boards import board_shapes, coordinate_shapes
from taiji.render.description import Scene, Tile, describe
from taiji.render.marks import last_move, scoring_group_shapes
from taiji.render.picture import Picture, Style, caption_text
from taiji.render.shapes import Group, Shape
from taiji.render.svg_writer import format_number, write
from taiji.render.theme import Theme, theme
from taiji.render.tiles import GROUND, PIECE, SHADOW, STEP_SHADOW, place_tile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from taiji.render.frames import Frame

DELAY_MS = 800
HOLD_MS = 4000
FADE_FRAMES = 0.25
"""Duration of the fade-in of a piece, in frames."""


@dataclass(frozen=True)
class _Timeline:
    """The times of an animation: when each frame starts, as a share of its length."""

    count: int
    delay: int

    @property
    def length_ms(self) -> int:
        """Length of one loop."""
        return self.count * self.delay + HOLD_MS

    def share(self, frame: float) -> float:
        """Return the start of a frame, in percent."""
        return 100 * frame * self.delay / self.length_ms

    def keyframes(self, first: int, end: int | None) -> str:
        """Return the keyframes that show an element from frame `first` on, until `end` unless it is None."""
        start = self.share(first)
        seen = f"{format_number(self.share(first + FADE_FRAMES), 3)}%"
        rule = f"0%,{format_number(start, 3)}%{{opacity:0}}{seen}" if first else "0%"
        if end is None:
            return f"@keyframes {_name(first, end)}{{{rule},100%{{opacity:1}}}}"
        out = format_number(self.share(end), 3)
        gone = format_number(self.share(end) + 0.01, 3)
        return f"@keyframes {_name(first, end)}{{{rule},{out}%{{opacity:1}}{gone}%,100%{{opacity:0}}}}"


def animated_svg(
    frames: list[Frame],
    style: Style,
    *,
    width: float | None = None,
    delay: int = DELAY_MS,
    groups: bool = False,
) -> str:
    """Return an SVG document that shows the frames one after the other in a loop."""
    picture, spans = _draw_timeline(frames, style, groups)
    return write(picture, width, style=_animation_css(_Timeline(len(frames), delay), spans))


def stepped_svg(frames: list[Frame], style: Style, *, width: float | None = None) -> str:
    """Return an SVG document whose groups of class `t` a script can show and hide.

    A group of class `f3` is visible from frame 3 on, one of class `f3-7` until frame 7.
    """
    picture, _ = _draw_timeline(frames, style, groups=True)
    return write(picture, width)


def _draw_timeline(
    frames: list[Frame], style: Style, groups: bool
) -> tuple[Picture, set[tuple[int, int | None]]]:
    """Draw all shapes of all frames, and return the spans of frames in which they are visible."""
    layout = BoardLayout(frames[0].state.board, style.coordinates, caption=True)
    colours = theme(style.theme)
    spans: set[tuple[int, int | None]] = set()
    shapes = list(_background(frames, layout, colours))
    for shape, first, end in _timed_shapes(frames, layout, colours, groups):
        if (first, end) == (0, None):
            shapes.append(shape)
            continue
        spans.add((first, end))
        # With reduced motion only the last frame is shown.
        shapes.append(Group((shape,), opacity=1.0 if end is None else 0.0, name=f"t {_name(first, end)}"))
    alt_text = describe(frames[-1].state).alt_text
    return Picture(layout.width, layout.height, tuple(shapes), colours, alt_text), spans


def _animation_css(timeline: _Timeline, spans: set[tuple[int, int | None]]) -> str:
    ordered = sorted(spans, key=lambda span: (span[0], span[1] or timeline.count))
    rules = [f".t{{animation:{timeline.length_ms}ms linear infinite}}"]
    rules += [
        f".{_name(*span)}{{animation-name:{_name(*span)}}}{timeline.keyframes(*span)}" for span in ordered
    ]
    rules.append("@media (prefers-reduced-motion:reduce){.t{animation:none}}")
    return "".join(rules)


def _name(first: int, end: int | None) -> str:
    return f"f{first}" if end is None else f"f{first}-{end}"


def _background(frames: list[Frame], layout: BoardLayout, colours: Theme) -> Iterator[Shape]:
    scene = replace(describe(frames[0].state), layers=((),))
    yield from board_shapes(scene, layout, colours)
    if layout.coordinates:
        yield from coordinate_shapes(layout, colours)


def _timed_shapes(
    frames: list[Frame], layout: BoardLayout, colours: Theme, groups: bool
) -> Iterator[tuple[Shape, int, int | None]]:
    """Yield each shape, lowest first, with the frames in which it appears and disappears."""
    scenes = [describe(frame.state, last=frame.move, groups=True) for frame in frames]
    yield from _layers(scenes, layout, colours)
    final = len(frames) - 1
    for index, (frame, scene) in enumerate(zip(frames, scenes, strict=True)):
        end = index + 1 if index < final else None
        yield from ((shape, index, end) for shape in last_move(scene, layout, colours))
        if groups or index == final:
            yield from (
                (scoring_group_shapes(count, layout, colours), index, end) for count in scene.scoring_groups
            )
        yield caption_text(frame.caption, layout, colours), index, end


def _layers(
    scenes: list[Scene], layout: BoardLayout, colours: Theme
) -> Iterator[tuple[Shape, int, int | None]]:
    """Yield the pieces; at the end of a stage they are replaced by their drawings as ground of the next."""
    for depth in range(len(scenes[-1].layers)):
        opened = next(i for i, scene in enumerate(scenes) if len(scene.layers) > depth)
        closed = next((i for i, scene in enumerate(scenes) if len(scene.layers) > depth + 1), None)
        below = scenes[opened].ground
        tiles = scenes[-1].layers[depth]
        born = {tile.cells: _first_seen(scenes, depth, tile) for tile in tiles}
        # The piece that ends a stage is only ever visible as ground of the next.
        played = [tile for tile in tiles if born[tile.cells] != closed]
        for tile in played:
            shade = STEP_SHADOW if tile.cells & below else SHADOW
            yield place_tile(tile, layout, colours, shade), born[tile.cells], closed
        yield from ((place_tile(tile, layout, colours, PIECE), born[tile.cells], closed) for tile in played)
        if closed is not None:
            dots = scenes[closed].ground_counts
            yield from ((place_tile(tile, layout, colours, SHADOW), closed, None) for tile in tiles)
            yield from (
                (place_tile(tile, layout, colours, GROUND, dots=dots), closed, None) for tile in tiles
            )


def _first_seen(scenes: list[Scene], depth: int, tile: Tile) -> int:
    return next(
        i
        for i, scene in enumerate(scenes)
        if len(scene.layers) > depth and any(other.cells == tile.cells for other in scene.layers[depth])
    )
