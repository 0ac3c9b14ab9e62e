"""Objects of a JSON text one at a time: a single one, a list of them, or one a line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TextIO

from taiji.notation.errors import excerpt
from taiji.notation.interchange.errors import UNREADABLE, ConversionError

MAX_OBJECT_CHARS = 4_000_000
"""How many characters one game may have."""
CHUNK_CHARS = 1 << 16

_TOKEN = re.compile(r'[{}]|"(?:[^"\\]|\\.)*("?)', re.DOTALL)
"""A brace, or a string; its last group is empty where the string goes on behind the text."""


def json_objects(stream: TextIO) -> Iterator[tuple[int, str] | ConversionError]:
    """Yield the text of each object with the number of its first line; what is none is refused."""
    scanner = _ObjectScanner()
    while chunk := stream.read(CHUNK_CHARS):
        yield from scanner.feed(chunk)
    yield from scanner.finish()


class _ObjectScanner:
    """Follows braces and strings, and holds no more than one object."""

    def __init__(self) -> None:
        self._text = ""
        self._scanned = 0
        """How far the text is scanned."""
        self._depth = 0
        self._line = 1
        """The line in which the text begins."""
        self._too_long = self._aborted = False

    def feed(self, chunk: str) -> Iterator[tuple[int, str] | ConversionError]:
        """Read on."""
        if self._aborted:
            return
        self._text += chunk
        while match := _TOKEN.search(self._text, self._scanned):
            mark = match[0]
            if mark == "{" and not self._depth:
                yield from self._discard_separator(match.start())
                self._depth, self._scanned = 1, 1
            elif mark == "}" and self._depth <= 1:
                self._depth = 0
                yield from self._take_object(match.end())
            elif self._depth and mark[0] == '"' and not match[1]:
                self._scanned = match.start()
                break
            else:
                self._depth += {"{": 1, "}": -1}.get(mark, 0)
                self._scanned = match.end()
        else:
            self._scanned = len(self._text)
        yield from self._limit_memory()

    def _discard_separator(self, end: int) -> Iterator[ConversionError]:
        """Forget the text up to here; anything but commas and brackets in it is refused."""
        text, self._text, self._scanned = self._text[:end], self._text[end:], 0
        junk = text.strip(" \t\r\n,[]")
        if junk:
            yield ConversionError(
                UNREADABLE, f"{excerpt(junk)} is no game: each is a JSON object", line=self._line
            )
        self._line += text.count("\n")

    def _take_object(self, end: int) -> Iterator[tuple[int, str] | ConversionError]:
        text, line = self._text[:end], self._line
        self._text, self._scanned = self._text[end:], 0
        self._line += text.count("\n")
        if self._too_long or len(text) > MAX_OBJECT_CHARS:
            self._too_long = False
            yield ConversionError(
                UNREADABLE, f"a game has at most {MAX_OBJECT_CHARS:,} characters", line=line
            )
        elif text.startswith("{"):
            yield line, text
        else:
            yield ConversionError(
                UNREADABLE, f"{excerpt(text.strip())} is no game: each is a JSON object", line=line
            )

    def _limit_memory(self) -> Iterator[ConversionError]:
        """Keep a text that is too long from filling the memory."""
        if not self._depth:
            yield from self._discard_separator(len(self._text))
        elif self._scanned > MAX_OBJECT_CHARS:
            self._too_long = True
            self._line += self._text.count("\n", 0, self._scanned)
            self._text, self._scanned = self._text[self._scanned :], 0
        elif len(self._text) > 2 * MAX_OBJECT_CHARS:
            self._aborted, self._depth = True, 0
            yield ConversionError(
                UNREADABLE, "a text without end: the rest of the file is not read", line=self._line
            )

    def finish(self) -> Iterator[ConversionError]:
        """Refuse an object that was never closed."""
        if self._depth:
            yield ConversionError(UNREADABLE, "the file ends within this game", line=self._line)
