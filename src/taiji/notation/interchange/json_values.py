"""Fields of a decoded JSON value that must be there, of the kind they must have."""

from __future__ import annotations

from typing import Any, TypeVar

from taiji.notation.interchange.errors import MISSING_FIELD, UNREADABLE, ConversionError

_TYPE_NAMES: dict[type, str] = {str: "a text", int: "a number", list: "a list", dict: "an object"}

T = TypeVar("T")


def required_field(value: object, name: str, expected: type[T], where: str = "") -> T:
    """Return a field that has to be there."""
    if not isinstance(value, dict) or value.get(name) is None:
        raise ConversionError(MISSING_FIELD, f"{where}{name} is missing")
    return _expect_type(value[name], expected, where + name)


def optional_field(value: dict[str, Any], name: str, expected: type[T], default: T, where: str = "") -> T:
    """Return a field, or a default where it is not there."""
    present = value.get(name)
    return default if present is None else _expect_type(present, expected, where + name)


def object_list(value: dict[str, Any], name: str, count: int, where: str = "") -> list[dict[str, Any]]:
    """Return a list of so many objects."""
    found = required_field(value, name, list, where)
    if len(found) != count or not all(isinstance(entry, dict) for entry in found):
        raise ConversionError(UNREADABLE, f"{where}{name}: {count} objects were expected")
    return found


def int_field(value: dict[str, Any], name: str, where: str = "") -> int:
    """Return a field that is a number."""
    found = required_field(value, name, object, where)
    if not isinstance(found, int | float) or isinstance(found, bool):
        raise ConversionError(UNREADABLE, f"{where}{name}: a number was expected")
    return int(found)


def _expect_type(value: object, expected: type[T], where: str) -> T:
    if not isinstance(value, expected):
        raise ConversionError(UNREADABLE, f"{where}: {_TYPE_NAMES[expected]} was expected")
    return value
