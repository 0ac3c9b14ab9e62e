"""Splitting the moves of a record into tokens, each of which knows its line and column."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from taiji.notation.errors import NotationError, excerpt

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
    """A piece of a record: `kind` is a group of the token's pattern, or `tag`."""

    kind: str
    text: str
    offset: int
    """Its offset in the text."""
    name: str = ""
    """The name of a tag."""


class SourceMap:
    """Turns offsets in a text into lines and columns of the file it stands in."""

    def __init__(self, text: str, first_line: int) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._first = first_line

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and column of an offset, both from 1."""
        row = bisect_right(self._starts, offset) - 1
        return self._first + row, offset - self._starts[row] + 1

    def error(self, message: str, offset: int) -> NotationError:
        """Return the error that something is wrong at an offset."""
        line, column = self.position(offset)
        return NotationError(message, line=line, column=column)

    def relocate(self, error: NotationError, offset: int) -> NotationError:
        """Return an error of a smaller text that begins at an offset of this one."""
        inside = (error.column or 1) - 1
        line, column = self.position(offset + inside)
        return NotationError(error.message, line=line, column=column, ply=error.ply, reason=error.reason)


def tokenise(text: str, source: SourceMap) -> Iterator[Token]:
    """Yield the tags, then the tokens of the moves."""
    at = 0
    while _BRACKET.match(text, at):
        match = _TAG.match(text, at)
        if match is None:
            raise source.error('a tag is written [Name "value"]', text.index("[", at))
        value = _ESCAPED.sub(lambda mark: mark[1], match["value"])
        yield Token("tag", value, match.start("value"), match["name"])
        at = match.end()
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise source.error(_describe_problem(text, at), at)
        kind = found.lastgroup or ""
        if kind != "blank":
            yield Token(kind, found[kind], found.start(kind))
        at = found.end()


def _describe_problem(text: str, at: int) -> str:
    if text[at] == "{":
        return "this comment is never closed"
    if text[at] == "}":
        return "no comment is open here"
    return f"{excerpt(text[at : at + 12])!r} means nothing here"
