"""Errors of conversion, with the category under which a summary counts them."""

from __future__ import annotations

from taiji.rules.errors import NotationError

UNREADABLE = "cannot be read"
UNKNOWN_VARIANT = "unknown variant"
MISSING_FIELD = "missing field"
ILLEGAL_MOVE = "illegal move"
WRONG_RESULT = "wrong result"
UNSUPPORTED = "not representable in the target format"


class ConversionError(NotationError):
    """A game that cannot be converted; `category` is one of the constants above."""

    def __init__(
        self, category: str, message: str, *, line: int | None = None, ply: int | None = None
    ) -> None:
        super().__init__(message, line=line, ply=ply)
        self.category = category

    def with_line(self, line: int | None) -> ConversionError:
        """Return the same error with this line, unless it has one already."""
        return ConversionError(self.category, self.message, line=self.line or line, ply=self.ply)


def error_category(error: NotationError) -> str:
    """Return the category under which an error is counted."""
    if isinstance(error, ConversionError):
        return error.category
    return ILLEGAL_MOVE if error.reason is not None else UNREADABLE


def error_location(error: NotationError) -> str:
    """Return the line and ply of an error as text; empty if unknown."""
    fields = [("line", error.line), ("ply", error.ply)]
    return ", ".join(f"{name} {value}" for name, value in fields if value)
