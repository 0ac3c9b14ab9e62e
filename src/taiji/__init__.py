"""The TAIJI family of board games: a game is a definition, and everything else works with any definition.

The names in `__all__` are the front door of the library; docs/library.md is its tutorial. They are loaded at
first use, so that `import taiji` is fast. The packages below (`taiji.rules`, `taiji.players`, …) have more.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from taiji.analysis import Analysis, Review
    from taiji.api import analyse, player, read, review, solve, write
    from taiji.arena.contest_run import play_contest as arena
    from taiji.kernel import Solution
    from taiji.notation import (
        Record,
        Result,
        format_position,
        format_record,
        parse_position,
        parse_record,
    )
    from taiji.players import Info, Limit, Player, PlayerError
    from taiji.rules import (
        EDITIONS,
        GAMES,
        Board,
        Colour,
        Game,
        GameError,
        IllegalMove,
        Match,
        MatchContext,
        Move,
        NameKomi,
        NotationError,
        Outcome,
        Placement,
        Seat,
        State,
        Swap,
        Unsupported,
        game_from_toml,
        parse_game,
        register,
    )

__version__ = "0.2.0"

__all__ = [
    "EDITIONS",
    "GAMES",
    "Analysis",
    "Board",
    "Colour",
    "Game",
    "GameError",
    "IllegalMove",
    "Info",
    "Limit",
    "Match",
    "MatchContext",
    "Move",
    "NameKomi",
    "NotationError",
    "Outcome",
    "Placement",
    "Player",
    "PlayerError",
    "Record",
    "Result",
    "Review",
    "Seat",
    "Solution",
    "State",
    "Swap",
    "Unsupported",
    "__version__",
    "analyse",
    "arena",
    "format_position",
    "format_record",
    "game_from_toml",
    "parse_game",
    "parse_position",
    "parse_record",
    "player",
    "read",
    "register",
    "review",
    "solve",
    "write",
]

if not TYPE_CHECKING:  # type checkers and editors read the imports above

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = _load(name)
        globals()[name] = value
        return value


def _load(name: str) -> object:
    """Import a name of `__all__` from the layer that has it; most names are of the rules."""
    if name == "arena":
        import taiji.arena  # the package itself can be called

        return taiji.arena
    from taiji import rules

    if name in rules.__all__:
        return getattr(rules, name)
    from taiji import notation

    if name in notation.__all__:
        return getattr(notation, name)
    from taiji import api, players

    if name in players.__all__:
        return getattr(players, name)
    if hasattr(api, name):
        return getattr(api, name)
    from taiji import analysis, kernel

    return getattr(analysis if name in analysis.__all__ else kernel, name)


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
