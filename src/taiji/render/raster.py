"""Rasterise pictures to PNG, with a bundled font so that text is always shown."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib.resources import as_file, files
from math import ceil
from typing import TYPE_CHECKING

from taiji.render.svg_writer import write

if TYPE_CHECKING:
    from taiji.render.picture import Picture

FAMILY = "Source Serif Pro"
"""Font of PNG, GIF and PDF files; the package font-source-serif-pro provides it."""
_WEIGHTS = {"regular": "SourceSerifPro-Regular.ttf", "bold": "SourceSerifPro-Semibold.ttf"}
WIDTH_PX = 600
"""Default width."""
MAX_SIDE_PX = 8192
"""Maximum width and height, which bounds the memory."""


class MissingPackage(ValueError):
    """A package that is needed to draw pictures is not installed."""

    def __init__(self, name: str) -> None:
        super().__init__(f"pictures of this kind need the package {name} (pip install 'taiji[render]')")


@cache
def font_files() -> dict[str, str]:
    """Return the font files by weight."""
    try:
        folder = files("font_source_serif_pro") / "files"
    except ModuleNotFoundError as error:
        raise MissingPackage("font-source-serif-pro") from error
    paths = {}
    for weight, name in _WEIGHTS.items():
        with as_file(folder / name) as path:
            paths[weight] = str(path)
    return paths


def png_bytes(picture: Picture, width: int | None = None) -> bytes:
    """Return a picture as a PNG file, `width` pixels wide."""
    wide = width or WIDTH_PX
    high = pixels_high(picture.width, picture.height, wide)
    if not 1 <= wide <= MAX_SIDE_PX or high > MAX_SIDE_PX:
        raise ValueError(f"size {wide}: invalid (expected 1 to {MAX_SIDE_PX} pixels in width and height)")
    # Extend the bottom so that the height is an integer number of pixels and nothing is stretched.
    whole = replace(picture, height=high * picture.width / wide)
    return svg_to_png(write(whole, wide))


def pixels_high(width: float, height: float, pixels_wide: int) -> int:
    """Return the height in pixels of a picture that is `pixels_wide` wide, rounded up."""
    return ceil(round(height * pixels_wide / width, 6))


def svg_to_png(svg: str) -> bytes:
    """Return an SVG document as a PNG file of the same size."""
    try:
        from resvg_py import svg_to_bytes
    except ModuleNotFoundError as error:
        raise MissingPackage("resvg-py") from error
    data: bytes = svg_to_bytes(
        svg_string=svg,
        # Loading system fonts is slow: only for characters that the bundled font lacks.
        skip_system_fonts=_within_our_font(svg),
        font_files=list(font_files().values()) if "<text" in svg else [],
        serif_family=FAMILY,
    )
    return data


def _within_our_font(text: str) -> bool:
    """Return whether the bundled font has every character: Latin, Greek, Cyrillic and punctuation."""
    return text.isascii() or all(
        character < "\u0530" or "\u1e00" <= character < "\u2200" for character in text
    )
