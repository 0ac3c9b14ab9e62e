"""Names and parameters of games in OpenSpiel, whose texts allow no `+`, `-`, `=` or `,`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from taiji.rules import GAMES, GameError, IntOption

if TYPE_CHECKING:
    from taiji.rules import GameDeclaration, Option

GAME = "game"
"""The parameter for the text of any game."""
ANY_GAME = next(iter(GAMES))
"""The game of the catalogue whose OpenSpiel name takes that parameter: the first."""
UNSET_NUMBER, UNSET_TEXT = 0, ""
"""Values of options without a fixed default: OpenSpiel needs one of their type."""


def short_name(name: str) -> str:
    """Return a game's name in OpenSpiel: `python_taiji_battle_of_lits` for `taiji+battle-of-lits`."""
    return "python_" + name.replace("+", "_").replace("-", "_")


def parameters(declaration: GameDeclaration) -> dict[str, Any]:
    """Return the parameters of a game with their defaults."""
    options = {option.name: _default(option) for option in declaration.options}
    return {GAME: "", **options} if declaration.name == ANY_GAME else options


def _default(option: Option) -> int | str:
    if isinstance(option, IntOption):
        return UNSET_NUMBER if option.default is None else option.default
    return option.default or UNSET_TEXT


def game_text(declaration: GameDeclaration, params: dict[str, Any]) -> str:
    """Return the text of the game with these parameters, and respell `game` so that OpenSpiel can parse it.

    OpenSpiel writes parameters as `name(key=value,key=value)` and parses them back, so a value may contain
    neither `=` nor `,`: `taiji:size=7,groups=1` becomes `taiji:size:7;groups:1`. Both spellings are accepted.
    """
    defaults = parameters(declaration)
    options = {key: value for key, value in params.items() if value != defaults.get(key)}
    text = str(options.pop(GAME, ""))
    if not text:
        return _join(declaration.name, options)
    if options:
        raise GameError(f"{GAME} and {', '.join(options)} contradict each other: give either")
    head, colon, rest = text.partition(":")
    params[GAME] = head + colon + rest.replace(",", ";").replace("=", ":")
    return head + colon + rest.replace(";", ",").replace(":", "=")


def _join(name: str, options: dict[str, Any]) -> str:
    return f"{name}:{','.join(f'{key}={value}' for key, value in options.items())}" if options else name
