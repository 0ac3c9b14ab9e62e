"""Draw the icons of the app from `icon.svg`: `python tools/app_icons.py ICON FOLDER`.

Systems that cut icons to a shape of their own get one whose background fills the square. What asks for
`/favicon.ico` gets one, and sites that show links a picture of the app.
"""

from __future__ import annotations

import re
import struct
import sys
from pathlib import Path

from taiji.notation import parse_move
from taiji.render.card import WIDTH_PX, CardText, card
from taiji.render.raster import png_bytes, svg_to_png
from taiji.rules import parse_game

ROUNDED = {"icon-192": 192, "icon-512": 512}
FULL = {"maskable-192": 192, "maskable-512": 512, "apple-touch-icon": 180}
FAVICON = (16, 32, 48)
FAMILY = (("TAIJI", ""), ("TAILITS", ""), ("Battle of LITS", ""))
SHOWN = ("taiji:size=7", "d4/d5 e4/e5 c4/c5 d3/e3 b4/b5 f5/f4 c3/b3 d6/c6 e2/d2 f3/g3 f6/e6 a3/a2")
"""The game and the moves of the picture of the app."""
VIEW_BOX = 'viewBox="0 0 64 64"'
SAFE_VIEW_BOX = 'viewBox="-8 -8 80 80"'
"""Leaves the drawing in the circle of four fifths that no mask cuts."""


def sized(svg: str, pixels: int) -> bytes:
    """Return the drawing as a square PNG file."""
    return svg_to_png(svg.replace("<svg ", f'<svg width="{pixels}" height="{pixels}" ', 1))


def full_bleed(svg: str) -> str:
    """Return the drawing with its background extended to a square without rounded corners."""
    background = re.search(r"<rect .*?/>", svg, re.DOTALL)
    if background is None or VIEW_BOX not in svg:
        raise ValueError(f"icon: unexpected drawing (expected a <rect> background and {VIEW_BOX})")
    fill = re.search(r'fill="([^"]+)"', background[0])
    assert fill is not None
    square = f'<rect x="-8" y="-8" width="80" height="80" fill="{fill[1]}"/>'
    return svg.replace(background[0], square).replace(VIEW_BOX, SAFE_VIEW_BOX)


def ico(images: dict[int, bytes]) -> bytes:
    """Return an icon file of PNG images by size in pixels; every browser since 2010 reads PNG in it."""
    offset = 6 + 16 * len(images)
    entries, body = b"", b""
    for pixels, image in images.items():
        entries += struct.pack("<BBBBHHII", pixels, pixels, 0, 0, 1, 32, len(image), offset + len(body))
        body += image
    return struct.pack("<HHH", 0, 1, len(images)) + entries + body


def app_picture() -> bytes:
    """Return the picture that links to the app show."""
    game, moves = SHOWN
    state = parse_game(game).start()
    for text in moves.split():
        state = state.play(parse_move(state, text))
    return png_bytes(card(state, CardText("Board games", FAMILY)), WIDTH_PX)


def main(icon: Path, folder: Path) -> None:
    """Write every icon into the folder."""
    svg = icon.read_text(encoding="utf-8")
    folder.mkdir(parents=True, exist_ok=True)
    for drawing, sizes in ((svg, ROUNDED), (full_bleed(svg), FULL)):
        for name, pixels in sizes.items():
            (folder / f"{name}.png").write_bytes(sized(drawing, pixels))
    (folder / "favicon.ico").write_bytes(ico({pixels: sized(svg, pixels) for pixels in FAVICON}))
    (folder / "preview.png").write_bytes(app_picture())


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
