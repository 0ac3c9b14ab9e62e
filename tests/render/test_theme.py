"""The theme file serves pictures and web, and every palette has every colour."""

from __future__ import annotations

import json
import re
from importlib.resources import files

import pytest

from taiji.render.theme import THEMES, geometry, mix_colours, theme

THEME_FILE = json.loads(files("taiji.render").joinpath("theme.json").read_text("utf-8"))
COLOUR = re.compile(r"#[0-9a-f]{6}")


def test_palettes_have_the_same_colours() -> None:
    names = {name: set(palette) for name, palette in THEME_FILE["themes"].items()}
    used = set(THEMES.values())
    assert used <= set(names)
    assert len({frozenset(names[palette]) for palette in used}) == 1


@pytest.mark.parametrize("name", THEMES)
def test_colours_are_colours(name: str) -> None:
    assert all(COLOUR.fullmatch(colour) for colour in theme(name).colours.values())


def test_lengths_are_those_of_the_file() -> None:
    assert geometry().cell == THEME_FILE["geometry"]["cell"]


def luminance(colour: str) -> float:
    channels = [byte / 255 for byte in bytes.fromhex(colour.removeprefix("#"))]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, two: str) -> float:
    high, low = sorted((luminance(one), luminance(two)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", THEMES)
def test_what_must_be_told_apart_can_be(name: str) -> None:
    colours = theme(name)
    assert contrast(colours["ivory"], colours["sumi"]) > 7
    assert contrast(colours["text"], colours["paper"]) > 4.5
    assert contrast(colours["amber"], colours["amber_ink"]) > 4.5
    assert contrast(colours["teal"], colours["teal_ink"]) > 4.5


def test_mixing() -> None:
    assert mix_colours("#000000", "#ffffff", 0.5) == "#808080"
