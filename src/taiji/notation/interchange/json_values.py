"""Fields of a decoded JSON value that must be there, of the kind they must have."""

from __future__ import annotations

from typing import Any, TypeVar

from taiji.notation.interchange.refusals import MISSING_FIELD, UNREADABLE, Refused

_WORDS: dict[type, str] = {str: "a text", int: "a number", list: "a list", dict: "an object"}

T = TypeVar("T")


def field(value: object, name: str, kind: type[T], where: str = "") -> T:
    """Return a field that has to be there."""
    if not isinstance(value, dict) or value.get(name) is None:
        raise Refused(MISSING_FIELD, f"{where}{name} is missing")
    return _of_kind(value[name], kind, where + name)


def optional(value: dict[str, Any], name: str, kind: type[T], default: T, where: str = "") -> T:
    """Return a field, or a default where it is not there."""
    found = value.get(name)
    return default if found is None else _of_kind(found, kind, where + name)


def entries(value: dict[str, Any], name: str, count: int, where: str = "") -> list[dict[str, Any]]:
    """Return a list of so many objects."""
    found = field(value, name, list, where)
    if len(found) != count or not all(isinstance(entry, dict) for entry in found):
        raise Refused(UNREADABLE, f"{where}{name}: {count} objects were expected")
    return found


def whole(value: dict[str, Any], name: str, where: str = "") -> int:
    """Return a field that is a number."""
    found = field(value, name, object, where)
    if not isinstance(found, int | float) or isinstance(found, bool):
        raise Refused(UNREADABLE, f"{where}{name}: a number was expected")
    return int(found)


def _of_kind(value: object, kind: type[T], where: str) -> T:
    if not isinstance(value, kind):
        raise Refused(UNREADABLE, f"{where}: {_WORDS[kind]} was expected")
    return value
