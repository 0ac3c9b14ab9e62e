"""Why a game is not converted: an error that says what and where, and a word to count it by."""

from __future__ import annotations

from taiji.notation.errors import NotationError

UNREADABLE = "cannot be read"
UNKNOWN_VARIANT = "unknown variant"
MISSING_FIELD = "missing field"
ILLEGAL_MOVE = "illegal move"
WRONG_RESULT = "wrong result"
UNSUPPORTED = "cannot be said in the other format"


class ConversionError(NotationError):
    """A game that is refused, and the word it is counted under."""

    def __init__(
        self, category: str, message: str, *, line: int | None = None, ply: int | None = None
    ) -> None:
        super().__init__(message, line=line, ply=ply)
        self.category = category


def error_category(error: NotationError) -> str:
    """Return the word that an error is counted under."""
    if isinstance(error, ConversionError):
        return error.category
    return ILLEGAL_MOVE if error.reason is not None else UNREADABLE


def error_location(error: NotationError) -> str:
    """Say in which line and at which ply an error is; nothing where it does not know."""
    places = [("line", error.line), ("ply", error.ply)]
    return ", ".join(f"{name} {number}" for name, number in places if number)
