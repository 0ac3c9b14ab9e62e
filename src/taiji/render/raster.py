"""Turns pictures into PNG files, with fonts of our own so that no text ever vanishes."""

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
"""The font of texts in PNG, GIF and PDF files; it comes with a package that ours depends upon."""
_WEIGHTS = {"regular": "SourceSerifPro-Regular.ttf", "bold": "SourceSerifPro-Semibold.ttf"}
WIDTH_PX = 600
"""How wide a PNG file is in pixels where nothing is told."""
MAX_SIDE_PX = 8192
"""In pixels: enough for any print, and small enough for any memory."""


class MissingPackage(ValueError):
    """A package that draws pictures is not installed."""

    def __init__(self, name: str) -> None:
        super().__init__(f"pictures of this kind need the package {name}: pip install 'taiji[render]'")


@cache
def font_files() -> dict[str, str]:
    """Return the font files by their weight."""
    try:
        folder = files("font_source_serif_pro") / "files"
    except ModuleNotFoundError as error:
        raise MissingPackage("font-source-serif-pro") from error
    found = {}
    for weight, name in _WEIGHTS.items():
        with as_file(folder / name) as path:
            found[weight] = str(path)
    return found


def png_bytes(picture: Picture, width: int | None = None) -> bytes:
    """Return a picture as a PNG file, `width` pixels wide."""
    wide = width or WIDTH_PX
    high = pixels_high(picture.width, picture.height, wide)
    if not 1 <= wide <= MAX_SIDE_PX or high > MAX_SIDE_PX:
        raise ValueError(f"size {wide}: a picture is 1 to {MAX_SIDE_PX} pixels wide and high")
    # A little more paper at the bottom makes the height whole pixels too, so that nothing is stretched.
    whole = replace(picture, height=high * picture.width / wide)
    return svg_to_png(write(whole, wide))


def pixels_high(width: float, height: float, pixels_wide: int) -> int:
    """Return how many pixels high a picture of this size is when it is so many wide."""
    return ceil(round(height * pixels_wide / width, 6))


def svg_to_png(svg: str) -> bytes:
    """Return an SVG document as a PNG file of its own size."""
    try:
        from resvg_py import svg_to_bytes
    except ModuleNotFoundError as error:
        raise MissingPackage("resvg-py") from error
    data: bytes = svg_to_bytes(
        svg_string=svg,
        # The system's fonts are looked through, which takes long, only for letters that ours does not have.
        skip_system_fonts=_within_our_font(svg),
        font_files=list(font_files().values()) if "<text" in svg else [],
        serif_family=FAMILY,
    )
    return data


def _within_our_font(text: str) -> bool:
    """Tell whether our own font has every letter: it has Latin, Greek, Cyrillic and punctuation."""
    return text.isascii() or all(
        character < "\u0530" or "\u1e00" <= character < "\u2200" for character in text
    )
