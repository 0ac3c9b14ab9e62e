"""Errors of the rules: texts that cannot be parsed, and rules that an engine cannot play."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from taiji.rules.reasons import IllegalReason


class GameError(ValueError):
    """A game text, option or declaration that does not define a game."""


class Unsupported(GameError):
    """A rule that an engine does not implement; raised before any move is made."""

    def __init__(self, engine: str, rule: str, detail: str) -> None:
        super().__init__(engine, rule, detail)
        self.engine = engine
        self.rule = rule
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.engine} does not support the rule {self.rule}: {self.detail}"


class NotationError(ValueError):
    """A text that cannot be parsed; lines and columns count from 1, single-line texts have no line."""

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
        """Number of the offending move in its game, from 1."""
        self.reason = reason
        """The rule that forbids the move; None if the problem is another."""
        super().__init__(message)

    def __str__(self) -> str:
        fields = [("line", self.line), ("column", self.column), ("ply", self.ply)]
        location = ", ".join(f"{name} {value}" for name, value in fields if value is not None)
        return f"{location}: {self.message}" if location else self.message

    def at(
        self, *, line: int | None = None, column: int | None = None, ply: int | None = None
    ) -> NotationError:
        """Return the same error located in an enclosing text; `column` is where the inner text starts."""
        shifted = self.column if column is None else column + (self.column or 1) - 1
        return NotationError(
            self.message,
            line=self.line if line is None else line,
            column=shifted,
            ply=self.ply if ply is None else ply,
            reason=self.reason,
        )


def check_type(name: str, value: object, kinds: type | tuple[type, ...], expected: str) -> None:
    """Raise TypeError unless the argument `name` is of one of these types."""
    if not isinstance(value, kinds):
        raise TypeError(f"{name}: invalid {type(value).__name__} (expected {expected})")


def check_callback(name: str, value: object) -> None:
    """Raise TypeError unless the argument `name` can be called or is None."""
    if value is not None and not callable(value):
        raise TypeError(f"{name}: invalid {type(value).__name__} (expected a function or None)")


def suggestion(text: str, known: Iterable[str]) -> str:
    """Return `did you mean X? ` if a text is close to a known word, else nothing."""
    from difflib import get_close_matches  # needed for errors only

    close = get_close_matches(text.lower(), list(known), 1)
    return f"did you mean {close[0]}? " if close else ""


def excerpt(text: str, max_chars: int = 24) -> str:
    """Return the start of a text for an error message, with unprintable characters replaced."""
    clipped = text if len(text) <= max_chars else text[: max_chars - 1] + "…"
    return "".join(mark if mark.isprintable() else "�" for mark in clipped)
