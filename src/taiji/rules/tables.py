"""Readers for the values of a declaration's tables; each error names the key and what was expected."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import Enum
from typing import Any, TypeVar

from taiji.rules.errors import GameError

TomlTable = Mapping[str, Any]
T = TypeVar("T")
E = TypeVar("E", bound=Enum)

_TYPE_NAMES = {str: "text", int: "an integer", bool: "true or false", list: "a list", dict: "a table"}


_MAX_DEPTH = 32
_MAX_INT = 1 << 63
"""TOML integers have 64 bits."""


def parse_toml(text: str, error_type: type[ValueError] = GameError) -> dict[str, Any]:
    """Parse a TOML text; raise `error_type` if it is not TOML, nested too deep, or has too large a number."""
    import tomllib  # with datetime it takes a third of the import time of the rules

    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise error_type(f"not TOML: {error}") from error
    except (ValueError, RecursionError) as error:  # Python's own limits of digits and of recursion
        raise error_type("not TOML: number too long, or nested too deep") from error
    check_values(table, error_type)
    return table


def check_values(table: object, error_type: type[ValueError] = GameError) -> None:
    """Raise `error_type` if a table is nested too deep, or into itself, or has too large an integer."""
    level: list[Any] = [table]
    for _ in range(_MAX_DEPTH):
        parts = [value for each in level for value in (each.values() if isinstance(each, Mapping) else each)]
        if any(isinstance(value, int) and abs(value) >= _MAX_INT for value in parts):
            raise error_type("an integer is too large (expected at most 64 bits)")
        # By identity, so that a table inside itself does not multiply.
        level = list(
            {id(value): value for value in parts if isinstance(value, Mapping | list | tuple)}.values()
        )
        if not level:
            return
    raise error_type(f"nested too deep (expected at most {_MAX_DEPTH} levels)")


def read_typed(table: TomlTable, key: str, kind: type[T], default: T | None = None) -> T:
    """Return the value of a key, which must be of this type; without a default it must be there."""
    value = table.get(key, default)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        problem = "invalid" if key in table else "missing"
        raise GameError(f"{key}: {problem} (expected {_TYPE_NAMES[kind]})")
    return value


def read_choice(table: TomlTable, key: str, values: Collection[str], default: str | None = None) -> str:
    """Return the value of a key, which must be one of `values`; without a default it must be there."""
    value = read_typed(table, key, str, default)
    if value not in values:
        raise GameError(f"{key}={value[:20]}: invalid (expected one of {', '.join(values)})")
    return value


def read_enum(table: TomlTable, key: str, members: type[E], default: E | None = None) -> E:
    """Return the value of a key as the member of an enumeration."""
    values = [member.value for member in members]
    return members(read_choice(table, key, values, None if default is None else default.value))


def read_switch(key: str, value: object) -> bool:
    """Return the value of a key that switches something on or off."""
    return read_typed({key: value}, key, bool)


def read_count(table: TomlTable, key: str, default: int) -> int:
    """Return the value of a key that counts from 1."""
    value = read_typed(table, key, int, default)
    if value < 1:
        raise GameError(f"{key}={value}: invalid (expected an integer from 1)")
    return value


def check_keys(table: TomlTable, known: Collection[str], what: str) -> None:
    """Raise `GameError` if a table has a key that is not known."""
    for key in table:
        if key not in known:
            raise GameError(f"{what} has no {str(key)[:20]!r} (expected {', '.join(sorted(known))})")
