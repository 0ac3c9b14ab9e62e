"""The styles of the characters of a board, from the palette of the pictures."""

from __future__ import annotations

from functools import cache

from rich.style import Style

from taiji.render.theme import Theme, mix_colours, theme

MONO = "mono"
"""The theme without colours."""
THEMES = ("paper", "night", MONO)
"""The themes of the full-screen app."""


@cache
def style_for(name: str, theme_name: str) -> Style:
    """Return the style of a name in a theme."""
    if theme_name == MONO:
        return _plain(name)
    return _coloured(name, theme(theme_name))


def _plain(name: str) -> Style:
    """Return a style that distinguishes parts by weight alone."""
    if name.startswith(("last", "counted", "ghost", "forbidden", "start")):
        return Style(bold=True)
    return Style(dim=True) if name in ("board-mark", "raised", "label") else Style()


def _coloured(name: str, colours: Theme) -> Style:
    if " on " in name:
        front, back = name.split(" on ")
        return Style(color=_surface(front, colours), bgcolor=_surface(back, colours))
    if name.startswith("last "):
        return Style(color=colours["seal"], bgcolor=_surface(name.removeprefix("last "), colours), bold=True)
    if name.startswith("on-top "):
        side = name.removeprefix("on-top ")
        surface = _surface(side, colours)
        return Style(color=mix_colours(_front(side, colours), surface, 0.3), bgcolor=surface)
    if name.startswith("counted-"):
        side = name.removeprefix("counted-")
        accent = "amber" if side == "light" else "teal"
        return Style(color=_accent(colours, accent, side), bgcolor=_surface(side, colours), bold=True)
    if name.startswith(("ghost", "forbidden")):
        return _ghost(name, colours)
    return Style(color=_front(name, colours), bgcolor=_surface(name, colours), bold=name in ("cross", "ring"))


def _accent(colours: Theme, accent: str, side: str) -> str:
    """Return an accent with contrast: darker on a light square, lighter on a dark one."""
    return mix_colours(colours[accent], colours["sumi" if side == "light" else "ivory"], 0.8)


def _ghost(name: str, colours: Theme) -> Style:
    """Return the style of the piece in hand: between its colour and that of the board."""
    status, _, side = name.partition("-")
    mark = colours["good" if status == "ghost" else "bad"]
    if not side:
        return Style(color=mark, bgcolor=colours["board"], bold=True)
    surface = {"light": colours["ivory"], "dark": colours["sumi"]}.get(side, colours["piece_plain"])
    front = {"light": colours["sumi"], "dark": colours["ivory"]}.get(side, colours["ink"])
    share = 0.72 if status == "ghost" else 0.45
    return Style(color=front, bgcolor=mix_colours(surface, colours["board"], share), bold=True)


def _surface(name: str, colours: Theme) -> str:
    """Return the background of a part."""
    known = {
        "light": "ivory",
        "dark": "sumi",
        "raised": "ground_ivory",
        "label": "paper",
        "outside": "paper",
    }
    if name.startswith("lower-"):
        # Squares of an earlier stage that still score: between their colour and that of the board.
        return mix_colours(colours["ivory" if name == "lower-light" else "sumi"], colours["board"], 0.6)
    if name.startswith("tint-"):
        return colours[f"tint_{'LITS'[int(name[-1])]}"]
    return colours[known.get(name, "board")]


def _front(name: str, colours: Theme) -> str:
    """Return the colour of the characters of a part."""
    known = {
        "light": "sumi",
        "dark": "ivory",
        "lower-light": "sumi",
        "lower-dark": "ivory",
        "raised": "ground_rim",
        "label": "text",
        "wall": "ivory_rim",
        "board-mark": "slot_line",
        "start": "seal",
        "cross": "ink",
        "ring": "ink",
    }
    if colours.name == "night" and name == "wall":
        return colours["sumi_rim"]
    return colours[known.get(name, "ink")]
