"""The palette and the measures of every picture, read from `theme.json`, which the web app reads as well."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any

THEMES = {"paper": "light", "night": "dark", "patterns": "light", "print": "print"}
"""The themes of pictures, and the palette in `theme.json` that each takes its colours from."""


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
    """A mark laid over the squares of one colour, for eyes that cannot rely on shade."""

    mark: str
    step: float
    size: float
    ink: str
    opacity: float


@dataclass(frozen=True, eq=False)
class Theme:
    """The colours of one theme by what they are for."""

    name: str
    colours: dict[str, str]
    shadow_opacity: float
    patterns: tuple[Pattern, ...]
    """None, or the mark of light squares and that of dark ones."""

    def __getitem__(self, purpose: str) -> str:
        return self.colours[purpose]

    def rim_colour(self, kind: str, index: int) -> str:
        """Return the colour that tells pieces of this kind; unknown kinds share those of L, I, T and S."""
        return self.colours.get(f"shape_{kind}") or self.colours[f"shape_{'LITS'[index % 4]}"]

    def tint_colour(self, kind: str, index: int) -> str:
        """Return the body colour of a piece of this kind that has no colours of its own."""
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
    """Return a theme by its name."""
    if name not in THEMES:
        raise ValueError(f"no theme {name[:20]!r}: choose one of {', '.join(THEMES)}")
    palette = dict(_load_theme_file()["themes"][THEMES[name]])
    shade = float(palette.pop("shadow_opacity"))
    marks = _load_theme_file()["patterns"] if name == "patterns" else {}
    patterns = tuple(Pattern(**marks[half]) for half in ("light", "dark") if half in marks)
    return Theme(name, palette, shade, patterns)


def font_stack(style: str = "serif") -> str:
    """Return the font families of a text, the preferred first."""
    return str(_load_theme_file()["fonts"][style])


def mix_colours(one: str, two: str, share: float) -> str:
    """Return the colour that has this share of the first and the rest of the second."""
    parts = zip(*(bytes.fromhex(colour.removeprefix("#")) for colour in (one, two)), strict=True)
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in parts)


def nearly_equal(one: str, two: str) -> bool:
    """Tell whether two colours can hardly be told apart."""
    first, second = (bytes.fromhex(colour.removeprefix("#")) for colour in (one, two))
    return all(abs(a - b) < 32 for a, b in zip(first, second, strict=True))
