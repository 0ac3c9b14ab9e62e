"""The TAIJI family of board games: a game is a value, and everything else is written once for any such value.

The names here are the ones a program starts with. They are loaded when first used: importing `taiji` is free.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
