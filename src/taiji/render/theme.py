"""Palettes and measures of pictures, read from `theme.json`, which the web app reads too."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any

THEMES = {"paper": "light", "night": "dark", "patterns": "light", "print": "print"}
"""Themes of pictures, and the palette in `theme.json` of each."""


@dataclass(frozen=True)
class Geometry:
    """The lengths of a drawn board, in board units."""

    cell: float
    margin: float
    frame: float
    frame_radius: float
    slot_inset: float
    slot_radius: float
    piece_gap: float
    piece_radius: float
    rim_width: float
    shape_rim_width: float
    joint_width: float
    dot_radius: float
    shadow_dy: float
    shadow_blur: float
    step_shadow_dy: float
    step_shadow_blur: float
    ground_inset: float
    ground_radius: float
    last_width: float
    last_outset: float
    outline_width: float
    outline_inset: float
    outline_radius: float
    badge_radius: float
    badge_font: float
    coordinate_font: float
    symbol_radius: float
    symbol_width: float
    ghost_opacity: float


@dataclass(frozen=True)
class Pattern:
    """A mark on the squares of one colour, for readers who cannot rely on shades."""

    mark: str
    step: float
    size: float
    ink: str
    opacity: float


@dataclass(frozen=True, eq=False)
class Theme:
    """The colours of a theme by purpose."""

    name: str
    colours: dict[str, str]
    shadow_opacity: float
    patterns: tuple[Pattern, ...]
    """Empty, or the patterns of light and of dark squares."""

    def __getitem__(self, purpose: str) -> str:
        return self.colours[purpose]

    def rim_colour(self, kind: str, index: int) -> str:
        """Return the rim colour of a kind of piece; unknown kinds reuse those of L, I, T and S."""
        return self.colours.get(f"shape_{kind}") or self.colours[f"shape_{'LITS'[index % 4]}"]

    def tint_colour(self, kind: str, index: int) -> str:
        """Return the body colour of a kind of piece without light and dark squares."""
        return self.colours.get(f"tint_{kind}") or self.colours[f"tint_{'LITS'[index % 4]}"]


@cache
def _load_theme_file() -> dict[str, Any]:
    text = files("taiji.render").joinpath("theme.json").read_text("utf-8")
    theme_file: dict[str, Any] = json.loads(text)
    return theme_file


@cache
def geometry() -> Geometry:
    """Return the lengths of a drawn board."""
    lengths = _load_theme_file()["geometry"]
    return Geometry(**{field.name: float(lengths[field.name]) for field in fields(Geometry)})


@cache
def theme(name: str) -> Theme:
    """Return a theme by name; raise ValueError if it is unknown."""
    if name not in THEMES:
        raise ValueError(f"unknown theme {name[:20]!r} (expected {', '.join(THEMES)})")
    palette = dict(_load_theme_file()["themes"][THEMES[name]])
    shade = float(palette.pop("shadow_opacity"))
    marks = _load_theme_file()["patterns"] if name == "patterns" else {}
    patterns = tuple(Pattern(**marks[half]) for half in ("light", "dark") if half in marks)
    return Theme(name, palette, shade, patterns)


def font_stack(style: str = "serif") -> str:
    """Return the CSS font families of a style, `serif` or `sans`, preferred first."""
    return str(_load_theme_file()["fonts"][style])


def mix_colours(one: str, two: str, share: float) -> str:
    """Return the mixture of two colours; `share` is that of the first."""
    parts = zip(*(bytes.fromhex(colour.removeprefix("#")) for colour in (one, two)), strict=True)
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in parts)


def nearly_equal(one: str, two: str) -> bool:
    """Return whether two colours are hard to distinguish."""
    first, second = (bytes.fromhex(colour.removeprefix("#")) for colour in (one, two))
    return all(abs(a - b) < 32 for a, b in zip(first, second, strict=True))
