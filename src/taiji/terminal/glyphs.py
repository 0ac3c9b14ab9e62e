"""The characters of boards, in three sizes; light and dark differ in shape, not only in colour."""

from __future__ import annotations

from typing import NamedTuple


class Size(NamedTuple):
    """The size of a cell in characters, without walls."""

    width: int
    height: int


SIZES = (Size(7, 3), Size(5, 2), Size(3, 1))
"""The available sizes, largest first."""


class Walls(NamedTuple):
    """The characters of walls; `corners` is indexed by the sum of its arms: up 1, right 2, down 4, left 8."""

    level: str
    upright: str
    corners: str


WALLS = Walls("─", "│", " ╵╶└╷│┌├╴┘─┴┐┤┬┼")
ASCII_WALLS = Walls("-", "|", " ||+||++-+-+++++")

_SMALL = {
    "light": "○", "dark": "●", "counted-light": "◎", "counted-dark": "◉", "cross": "X", "ring": "O",
    "free": "·", "raised": "░", "start": "+",
}  # fmt: skip
_ASCII = {
    "light": "o", "dark": "*", "counted-light": "O", "counted-dark": "#", "cross": "x", "ring": "0",
    "free": ".", "raised": ":", "start": "+",
}  # fmt: skip
_FORMS: dict[int, dict[str, tuple[str, ...]]] = {
    1: {},
    2: {
        "light": ("╭─╮", "╰─╯"),
        "dark": ("▟█▙", "▜█▛"),
        "counted-light": ("╔═╗", "╚═╝"),
        "counted-dark": ("▟▀▙", "▜▄▛"),
        "cross": ("╲╱", "╱╲"),
        "ring": ("╭╮", "╰╯"),
        "raised": ("░░░", "░░░"),
    },
    3: {
        "light": ("╭───╮", "│   │", "╰───╯"),
        "dark": (" ▄▄▄ ", "█████", " ▀▀▀ "),
        "counted-light": ("╔═══╗", "║   ║", "╚═══╝"),
        "counted-dark": (" ▄▄▄ ", "██ ██", " ▀▀▀ "),
        "cross": ("╲ ╱", " ╳ ", "╱ ╲"),
        "ring": ("╭─╮", "│ │", "╰─╯"),
        "raised": ("░░░░░", "░░░░░", "░░░░░"),
    },
}
"""The drawing of a cell if only shapes distinguish light from dark, by cell height."""
_DOT = {2: ("▄", "▀"), 3: ("", "●", "")}
_DOT_IN_RING = {2: ("╭─╮", "╰─╯"), 3: ("╭─╮", "│●│", "╰─╯")}
_SHADED: dict[int, dict[str, tuple[str, ...]]] = {
    1: {},
    **{
        height: {
            **_FORMS[height],
            "light": _DOT[height],
            "dark": _DOT[height],
            "counted-light": _DOT_IN_RING[height],
            "counted-dark": _DOT_IN_RING[height],
        }
        for height in (2, 3)
    },
}
"""The drawing of a cell with colours: the small dot of the pictures."""


def art(size: Size, name: str, line: int, *, ascii_only: bool = False, shaded: bool = False) -> str:
    """Return one line of the drawing of a cell, padded to its width."""
    forms = (_SHADED if shaded else _FORMS)[size.height]
    if not ascii_only and name in forms:
        return forms[name][line].center(size.width)
    if line != (size.height - 1) // 2:
        return " " * size.width
    if name.startswith("kind-"):
        return name.removeprefix("kind-").center(size.width)
    character = (_ASCII if ascii_only else _SMALL)[name]
    return character * size.width if name == "raised" else character.center(size.width)
