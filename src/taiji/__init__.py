"""The TAIJI family of board games: a game is a definition, and everything else works with any definition.

The names here are the usual entry points. They are loaded at first use, so that `import taiji` is fast.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from taiji.rules import (
        EDITIONS,
        GAMES,
        Board,
        Colour,
        Game,
        GameError,
        IllegalMove,
        Match,
        Move,
        NotationError,
        Outcome,
        Placement,
        Seat,
        State,
        Swap,
        parse_game,
    )

__version__ = "0.1.0"

__all__ = [
    "EDITIONS",
    "GAMES",
    "Board",
    "Colour",
    "Game",
    "GameError",
    "IllegalMove",
    "Match",
    "Move",
    "NotationError",
    "Outcome",
    "Placement",
    "Seat",
    "State",
    "Swap",
    "__version__",
    "parse_game",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from taiji import rules

    value: object = getattr(rules, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _show_in_notebooks() -> None:
    """Tell IPython, where it runs, how to show positions, games and records; nothing else is imported."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None:
        return
    shown = (
        ("image/svg+xml", "taiji.rules.state", "State", "position_svg"),
        ("image/svg+xml", "taiji.rules.game", "Game", "position_svg"),
        ("text/html", "taiji.notation.records", "Record", "record_html"),
    )
    for form, module, name, painter in shown:
        formatter = shell.display_formatter.formatters[form]
        formatter.for_type_by_name(module, name, _painter(painter))


def _painter(name: str) -> Callable[[object], object]:
    def paint(value: object) -> object:
        from taiji.render import notebook

        return getattr(notebook, name)(value)

    return paint


_show_in_notebooks()
