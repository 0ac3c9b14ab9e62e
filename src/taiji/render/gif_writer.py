"""Write a record as an animated GIF; each frame adds to the previous one, which keeps long games fast."""

from __future__ import annotations

from importlib.util import find_spec
from io import BytesIO
from itertools import pairwise
from math import ceil, floor
from typing import TYPE_CHECKING

from taiji.render.board_layout import BoardLayout
from taiji.render.description import Scene, describe
from taiji.render.picture import Picture, Style, caption_text, compose, marks, pieces
from taiji.render.raster import MissingPackage, pixels_high, png_bytes, svg_to_png
from taiji.render.svg_writer import write
from taiji.render.theme import theme

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PIL.Image import Image

    from taiji.render.frames import Frame
    from taiji.render.shapes import Shape

DELAY_MS = 800
"""Duration of a frame."""
HOLD_MS = 4000
"""Duration of the last frame."""
WIDTH_PX = 480
"""Default width."""

UNCHANGED = 255
"""Palette index that leaves a pixel unchanged; the palette uses the indices below it."""

Box = tuple[int, int, int, int]


def gif_bytes(
    frames: list[Frame], style: Style, *, width: int = WIDTH_PX, delay: int = DELAY_MS, groups: bool = False
) -> bytes:
    """Return an animated GIF that loops; groups that count are shown at the end, or always with `groups`."""
    _require_pillow()
    from PIL import Image

    painter = _Painter(frames, style, width)
    images = [painter.frame(frame, groups=groups or frame is frames[-1]) for frame in frames]
    palette = _palette(images)
    flat = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    changes = [flat[0], *(_changed_pixels(before, after) for before, after in pairwise(flat))]
    delays = [delay] * (len(flat) - 1) + [max(HOLD_MS, delay)]
    stream = BytesIO()
    changes[0].save(
        stream,
        "GIF",
        save_all=True,
        append_images=changes[1:],
        duration=delays,
        loop=0,
        optimize=False,
        disposal=1,
        transparency=UNCHANGED,
    )
    return stream.getvalue()


def _changed_pixels(before: Image, after: Image) -> Image:
    """Return a frame that is transparent where it equals the previous one, for a third of the size."""
    from PIL import Image, ImageChops

    numbers = [Image.frombytes("L", image.size, image.tobytes()) for image in (before, after)]
    same = ImageChops.difference(*numbers).point([255] + [0] * 255)
    change = after.copy()
    change.paste(UNCHANGED, mask=same)
    return change


class _Painter:
    """Paints the frames of a record one after the other on one canvas."""

    def __init__(self, frames: list[Frame], style: Style, width: int) -> None:
        self.style = style
        self.theme = theme(style.theme)
        self.layout = BoardLayout(frames[0].state.board, style.coordinates, caption=True)
        self.scale = width / self.layout.width
        self.size = (width, pixels_high(self.layout.width, self.layout.height, width))
        self.painted: Scene | None = None
        self.canvas: Image | None = None

    def frame(self, frame: Frame, *, groups: bool) -> Image:
        """Paint the new piece on the canvas, then the marks and the caption on a copy."""
        canvas = self._advance(describe(frame.state))
        scene = describe(frame.state, last=frame.move, groups=groups)
        image = canvas.copy()
        pointed_out = scene.last
        for count in scene.scoring_groups:
            pointed_out |= count.cells
        if pointed_out:
            self._paint(image, marks(scene, self.layout, self.theme), self._box(pointed_out))
        strip = (0, floor(self.layout.board_bottom * self.scale), *self.size)
        self._paint(image, (caption_text(frame.caption, self.layout, self.theme),), strip)
        return image

    def _advance(self, scene: Scene) -> Image:
        before = self.painted
        self.painted = scene
        if self.canvas is None or before is None or len(before.layers) != len(scene.layers):
            picture = compose(scene, self.style, room_for_caption=True)
            self.canvas = _open_image(png_bytes(picture, self.size[0])).convert("RGB")
            return self.canvas
        known = {tile.cells for tile in before.layers[-1]}
        for tile in scene.layers[-1]:
            if tile.cells not in known:
                shapes = tuple(pieces((tile,), scene, self.layout, self.theme))
                self._paint(self.canvas, shapes, self._box(tile.cells))
        return self.canvas

    def _box(self, cells: int) -> Box:
        """Return the pixels that a piece and its shadow may touch."""
        side, reach = self.layout.sizes.cell, 12
        corners = [self.layout.corner(cell) for cell in range(self.layout.board.size) if cells >> cell & 1]
        left, top = min(x for x, _ in corners) - reach, min(y for _, y in corners) - reach
        right, bottom = max(x for x, _ in corners) + side + reach, max(y for _, y in corners) + side + reach
        scale = self.scale
        return (
            max(0, floor(left * scale)),
            max(0, floor(top * scale)),
            min(self.size[0], ceil(right * scale)),
            min(self.size[1], ceil(bottom * scale)),
        )

    def _paint(self, image: Image, shapes: Iterable[Shape], box: Box) -> None:
        """Paint shapes on part of an image."""
        left, top, right, bottom = box
        view = tuple(edge / self.scale for edge in (left, top, right - left, bottom - top))
        picture = Picture(
            view[2], view[3], tuple(shapes), self.theme, origin=(view[0], view[1]), transparent=True
        )
        layer = _open_image(svg_to_png(write(picture, right - left)))
        image.paste(layer, (left, top), layer)


def _open_image(data: bytes) -> Image:
    from PIL import Image

    return Image.open(BytesIO(data)).convert("RGBA")


def _require_pillow() -> None:
    if find_spec("PIL") is None:
        raise MissingPackage("pillow")


def _palette(images: list[Image]) -> Image:
    """Return a palette for all frames, made from the first, the middle and the last."""
    from PIL import Image

    chosen = [images[0], images[len(images) // 2], images[-1]]
    width, height = images[0].size
    strip = Image.new("RGB", (width, height * len(chosen)))
    for index, image in enumerate(chosen):
        strip.paste(image, (0, index * height))
    return strip.quantize(UNCHANGED, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
