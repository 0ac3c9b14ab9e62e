"""Why a game is not converted: an error that says what and where, and a word to count it by."""

from __future__ import annotations

from taiji.notation.errors import NotationError

UNREADABLE = "cannot be read"
UNKNOWN_VARIANT = "unknown variant"
MISSING_FIELD = "missing field"
ILLEGAL_MOVE = "illegal move"
WRONG_RESULT = "wrong result"
NOT_EXPRESSIBLE = "cannot be said in the other format"


class Refused(NotationError):
    """A game that is refused, and the word it is counted under."""

    def __init__(self, why: str, message: str, *, line: int | None = None, ply: int | None = None) -> None:
        super().__init__(message, line=line, ply=ply)
        self.why = why


def why(error: NotationError) -> str:
    """Return the word that an error is counted under."""
    if isinstance(error, Refused):
        return error.why
    return ILLEGAL_MOVE if error.reason is not None else UNREADABLE


def where(error: NotationError) -> str:
    """Say in which line and at which ply an error is; nothing where it does not know."""
    places = [("line", error.line), ("ply", error.ply)]
    return ", ".join(f"{name} {number}" for name, number in places if number)
