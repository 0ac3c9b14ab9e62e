"""The characters of boards, in three sizes; light and dark differ in form, not only in colour."""

from __future__ import annotations

from typing import NamedTuple


class Size(NamedTuple):
    """How many characters a cell takes, walls not included."""

    width: int
    height: int


SIZES = (Size(7, 3), Size(5, 2), Size(3, 1))
"""The sizes a board is drawn in, the largest first."""


class Walls(NamedTuple):
    """The characters of walls; `corners` by the arms they have: up 1, right 2, down 4, left 8."""

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
"""What is drawn on a cell where only forms tell light from dark, by the height of the cells."""
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
"""What is drawn where the cells have colours: the small dot of the pictures."""


def art(size: Size, name: str, line: int, *, ascii_only: bool = False, shaded: bool = False) -> str:
    """Return one line of what is drawn on a cell, as wide as the cell."""
    forms = (_SHADED if shaded else _FORMS)[size.height]
    if not ascii_only and name in forms:
        return forms[name][line].center(size.width)
    if line != (size.height - 1) // 2:
        return " " * size.width
    if name.startswith("kind-"):
        return name.removeprefix("kind-").center(size.width)
    character = (_ASCII if ascii_only else _SMALL)[name]
    return character * size.width if name == "raised" else character.center(size.width)
