"""The one error of every parser: what is wrong with a text, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from taiji.rules import IllegalReason


class NotationError(ValueError):
    """A text that cannot be read; lines and columns count from 1, a text of one line has no line number."""

    def __init__(
        self,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
        ply: int | None = None,
        reason: IllegalReason | None = None,
    ) -> None:
        self.message = message
        self.line = line
        self.column = column
        self.ply = ply
        """The number of the offending move in its game, 1 for the first."""
        self.reason = reason
        """The rule that forbids the move, where a rule does."""
        super().__init__(message)

    def __str__(self) -> str:
        where = [("line", self.line), ("column", self.column), ("ply", self.ply)]
        said = ", ".join(f"{name} {number}" for name, number in where if number is not None)
        return f"{said}: {self.message}" if said else self.message

    def at(
        self, *, line: int | None = None, column: int | None = None, ply: int | None = None
    ) -> NotationError:
        """Return the same error placed in a larger text: `column` is where the smaller text begins."""
        shifted = self.column if column is None else column + (self.column or 1) - 1
        return NotationError(
            self.message,
            line=self.line if line is None else line,
            column=shifted,
            ply=self.ply if ply is None else ply,
            reason=self.reason,
        )


def excerpt(text: str, max_chars: int = 24) -> str:
    """Return a piece of a text as an error message quotes it: on one line and never long."""
    clipped = text if len(text) <= max_chars else text[: max_chars - 1] + "…"
    return "".join(mark if mark.isprintable() else "�" for mark in clipped)
