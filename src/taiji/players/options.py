"""Options in a player's text: `key=value,…`, each parsed by its type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, TypeVar

from taiji.players.base import PlayerError
from taiji.rules.errors import suggestion

Parser = Callable[[str], Any]
"""Returns the value of an option; raises ValueError with what was expected."""

NumberT = TypeVar("NumberT", int, float)
MEBIBYTE = 1 << 20
MAX_NUMBER = 1e12


def split_options(player: str, text: str) -> dict[str, str]:
    """Split `key=value,…`; raise `PlayerError` if a part has another form or a key comes twice."""
    options: dict[str, str] = {}
    for part in text.split(",") if text else ():
        key, equals, value = part.partition("=")
        if not equals or not key.isidentifier():
            raise PlayerError(f"{player}: invalid option {part[:30]!r} (expected option=value)")
        if key in options:
            raise PlayerError(f"{player}: option {key} is given twice")
        options[key] = value
    return options


def integer(text: str) -> int:
    """Parse an integer from 0 to MAX_NUMBER."""
    return _number(int, text, "an integer")


def real(text: str) -> float:
    """Parse a number from 0 to MAX_NUMBER."""
    return _number(float, text, "a number")


def _number(kind: Callable[[str], NumberT], text: str, expected: str) -> NumberT:
    try:
        value = kind(text)
    except ValueError:
        raise ValueError(f"expected {expected}") from None
    if not 0 <= value < MAX_NUMBER:
        raise ValueError(f"expected {expected} from 0 to {MAX_NUMBER:,.0f}")
    return value


def mebibytes(text: str) -> int:
    """Parse a number of MiB; return bytes."""
    return integer(text) * MEBIBYTE


def yes_no(text: str) -> bool:
    """Parse `yes` or `no`."""
    return bool(one_of("yes", "no")(text) == "yes")


def one_of(*choices: str) -> Parser:
    """Return a parser that accepts these words."""

    def parse(text: str) -> str:
        if text not in choices:
            raise ValueError(f"expected {' or '.join(choices)}")
        return text

    return parse


def field_parsers(defaults: Any) -> dict[str, Parser]:
    """Return a parser for each field of a dataclass by the type of its default; `memory` is in MiB."""
    by_type: dict[type, Parser] = {bool: yes_no, int: integer, float: real}
    parsers = {field.name: by_type[type(getattr(defaults, field.name))] for field in fields(defaults)}
    return parsers | {"memory": mebibytes}


def parse_options(
    player: str, texts: Mapping[str, str], parsers: Mapping[str, Parser], aliases: Mapping[str, str]
) -> dict[str, Any]:
    """Return the options by their current names; raise `PlayerError` that names a bad option.

    `aliases` maps earlier names of options to current ones.
    """
    values: dict[str, Any] = {}
    for name, text in texts.items():
        key = aliases.get(name, name)
        if key not in parsers:
            hint = suggestion(name[:20], parsers)
            raise PlayerError(f"{player} has no option {name[:20]!r} ({hint}expected {', '.join(parsers)})")
        if key in values:
            raise PlayerError(f"{player}: option {key} is given twice")
        try:
            values[key] = parsers[key](text)
        except ValueError as error:
            raise PlayerError(f"{player}: invalid {name}={text[:20]!r} ({error})") from error
    return values


def player_text(player: str, texts: Mapping[str, str]) -> str:
    """Return the text that makes a player with these options again."""
    options = ",".join(f"{key}={text}" for key, text in texts.items())
    return f"{player}:{options}" if options else player
