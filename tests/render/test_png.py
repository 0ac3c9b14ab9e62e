"""PNG files: of the right size, with every text, quick."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from taiji import render
from taiji.render.raster import svg_to_png
from taiji.rules import parse_game


def image(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data)).convert("RGB")


def test_size() -> None:
    assert image(render.png(parse_game("taiji:size=3"), width=300)).width == 300


@pytest.mark.parametrize("width", [-1, 9000])
def test_a_size_out_of_bounds_is_refused(width: int) -> None:
    with pytest.raises(ValueError, match="1 to 8192"):
        render.png(parse_game("taiji:size=3"), width=width)


@pytest.mark.parametrize("caption", ["Light to move", "Zoë – Łukasz, Ω, Жук", "×½ “quoted”"])
def test_no_text_vanishes(caption: str) -> None:
    game = parse_game("taiji:size=4")
    with_it, without = (image(render.png(game, caption=text)) for text in (caption, "."))
    bottom = (0, with_it.height - 64, with_it.width, with_it.height)
    inks = [
        sum(value < 128 for value in picture.crop(bottom).convert("L").tobytes())
        for picture in (with_it, without)
    ]
    assert inks[0] > inks[1] + 8 * len(caption), "the letters are seen"


def test_coordinates_are_seen() -> None:
    svg = render.svg(parse_game("taiji:size=3"))
    without = "\n".join(line for line in svg.split("\n") if not line.startswith("<text"))
    assert image(svg_to_png(svg)).tobytes() != image(svg_to_png(without)).tobytes()


def test_halves_have_their_colours() -> None:
    state = parse_game("taiji:size=2").start()
    state = state.play(next(move for move in state.legal()))
    picture = image(render.png(state, coordinates=False, width=148))
    light, dark = state.light.bit_length() - 1, state.dark.bit_length() - 1
    tones = {}
    for name, cell in (("light", light), ("dark", dark)):
        # A quarter into the cell, away from dot and rim.
        x = 18 + 56 * (cell % 2) + 15
        y = 18 + 56 * (1 - cell // 2) + 15
        tones[name] = sum(picture.getpixel((x, y))) / 3  # type: ignore[arg-type]
    assert tones["light"] > 220
    assert tones["dark"] < 60
