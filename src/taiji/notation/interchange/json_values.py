"""Access to the fields of decoded JSON values, with checks of their types."""

from __future__ import annotations

import math
from typing import Any, TypeVar

from taiji.notation.interchange.errors import MISSING_FIELD, UNREADABLE, ConversionError

_TYPE_NAMES: dict[type, str] = {str: "a string", bool: "a boolean", list: "an array", dict: "an object"}

T = TypeVar("T")


def required_field(value: object, name: str, expected: type[T], where: str = "") -> T:
    """Return a field; raise `ConversionError` if it is missing or of another type."""
    if not isinstance(value, dict) or value.get(name) is None:
        raise ConversionError(MISSING_FIELD, f"{where}{name} is missing")
    return _expect_type(value[name], expected, where + name)


def optional_field(value: dict[str, Any], name: str, expected: type[T], default: T, where: str = "") -> T:
    """Return a field, or the default if it is missing."""
    present = value.get(name)
    return default if present is None else _expect_type(present, expected, where + name)


def object_list(value: dict[str, Any], name: str, count: int, where: str = "") -> list[dict[str, Any]]:
    """Return a field that is an array of exactly `count` objects."""
    objects = required_field(value, name, list, where)
    if len(objects) != count or not all(isinstance(entry, dict) for entry in objects):
        raise ConversionError(UNREADABLE, f"{where}{name}: invalid (expected {count} objects)")
    return objects


def int_field(value: dict[str, Any], name: str, where: str = "") -> int:
    """Return a field that is a finite number, cut to an integer."""
    number = required_field(value, name, object, where)
    if not isinstance(number, int | float) or isinstance(number, bool) or not math.isfinite(number):
        raise ConversionError(UNREADABLE, f"{where}{name}: invalid (expected a number)")
    return int(number)


def _expect_type(value: object, expected: type[T], where: str) -> T:
    if not isinstance(value, expected):
        raise ConversionError(UNREADABLE, f"{where}: invalid (expected {_TYPE_NAMES[expected]})")
    return value
