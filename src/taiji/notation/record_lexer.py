"""Split the text of a record into tokens with their offsets."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from taiji.rules.errors import NotationError, excerpt

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(
    r"""(?P<blank>\s+)
    | \{ (?P<comment> [^\\}]* (?: \\. [^\\}]* )* ) \}
    | ; (?P<rest> [^\n]* )
    | (?P<open> \( ) | (?P<close> \) )
    | \$ (?P<nag> [0-9]{1,3} ) (?![0-9])
    | (?P<glyph> [!?]{1,2} )
    | (?P<result> (?: 1-0 | 0-1 | 1/2-1/2 | \* ) (?= [\s(){};] | \Z ) )
    | (?P<number> [0-9]{1,5} ) \.+
    | (?P<move> [^\s(){};$!?]+ )
    """,
    re.VERBOSE | re.DOTALL,
)
_TAG = re.compile(r'\s*\[\s*(?P<name>[A-Za-z0-9_]+)\s+"(?P<value>(?:[^"\\\n]|\\[^\n])*)"\s*\]', re.DOTALL)
_BRACKET = re.compile(r"\s*(?=\[)")
_ESCAPED = re.compile(r"\\(.)")


class Token(NamedTuple):
    """A token; `kind` is the name of a group of `_TOKEN`, or `tag`."""

    kind: str
    text: str
    offset: int
    """Offset in the text."""
    name: str = ""
    """Name of a tag."""


class SourceMap:
    """Maps offsets in a text to lines and columns of the enclosing file."""

    def __init__(self, text: str, first_line: int) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._first = first_line

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and column of an offset, both counted from 1."""
        row = bisect_right(self._starts, offset) - 1
        return self._first + row, offset - self._starts[row] + 1

    def error(self, message: str, offset: int) -> NotationError:
        """Return an error located at an offset."""
        line, column = self.position(offset)
        return NotationError(message, line=line, column=column)

    def relocate(self, error: NotationError, offset: int) -> NotationError:
        """Return the error of an inner text that starts at this offset, located in the file."""
        inside = (error.column or 1) - 1
        line, column = self.position(offset + inside)
        return NotationError(error.message, line=line, column=column, ply=error.ply, reason=error.reason)


def tokenise(text: str, source: SourceMap) -> Iterator[Token]:
    """Yield the tags, then the tokens of the moves; raise `NotationError` at the first invalid character."""
    at = 0
    while _BRACKET.match(text, at):
        match = _TAG.match(text, at)
        if match is None:
            raise source.error('invalid tag (expected [Name "value"])', text.index("[", at))
        value = _ESCAPED.sub(lambda mark: mark[1], match["value"])
        yield Token("tag", value, match.start("value"), match["name"])
        at = match.end()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise source.error(_describe_problem(text, at), at)
        kind = match.lastgroup or ""
        if kind != "blank":
            yield Token(kind, match[kind], match.start(kind))
        at = match.end()


def _describe_problem(text: str, at: int) -> str:
    if text[at] == "{":
        return "unclosed comment"
    if text[at] == "}":
        return "'}' without an open comment"
    return f"unexpected {excerpt(text[at : at + 12])!r}"
