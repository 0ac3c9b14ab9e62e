"""Objects of a JSON text one at a time: a single one, a list of them, or one a line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TextIO

from taiji.notation.errors import shown
from taiji.notation.interchange.refusals import UNREADABLE, Refused

LARGEST_OBJECT = 4_000_000
"""How many characters one game may have."""
CHUNK = 1 << 16

_TOKEN = re.compile(r'[{}]|"(?:[^"\\]|\\.)*("?)', re.DOTALL)
"""A brace, or a string; its last group is empty where the string goes on behind the text."""


def json_objects(stream: TextIO) -> Iterator[tuple[int, str] | Refused]:
    """Yield the text of each object with the number of its first line; what is none is refused."""
    scanner = _Scanner()
    while chunk := stream.read(CHUNK):
        yield from scanner.feed(chunk)
    yield from scanner.end()


class _Scanner:
    """Follows braces and strings, and holds no more than one object."""

    def __init__(self) -> None:
        self._text = ""
        self._at = 0
        """How far the text is scanned."""
        self._depth = 0
        self._line = 1
        """The line in which the text begins."""
        self._too_long = self._lost = False

    def feed(self, chunk: str) -> Iterator[tuple[int, str] | Refused]:
        """Read on."""
        if self._lost:
            return
        self._text += chunk
        while match := _TOKEN.search(self._text, self._at):
            mark = match[0]
            if mark == "{" and not self._depth:
                yield from self._drop(match.start())
                self._depth, self._at = 1, 1
            elif mark == "}" and self._depth <= 1:
                self._depth = 0
                yield from self._object(match.end())
            elif self._depth and mark[0] == '"' and not match[1]:
                self._at = match.start()
                break
            else:
                self._depth += {"{": 1, "}": -1}.get(mark, 0)
                self._at = match.end()
        else:
            self._at = len(self._text)
        yield from self._forget_long()

    def _drop(self, end: int) -> Iterator[Refused]:
        """Forget the text up to here; anything but commas and brackets in it is refused."""
        text, self._text, self._at = self._text[:end], self._text[end:], 0
        junk = text.strip(" \t\r\n,[]")
        if junk:
            yield Refused(UNREADABLE, f"{shown(junk)} is no game: each is a JSON object", line=self._line)
        self._line += text.count("\n")

    def _object(self, end: int) -> Iterator[tuple[int, str] | Refused]:
        text, line = self._text[:end], self._line
        self._text, self._at = self._text[end:], 0
        self._line += text.count("\n")
        if self._too_long or len(text) > LARGEST_OBJECT:
            self._too_long = False
            yield Refused(UNREADABLE, f"a game has at most {LARGEST_OBJECT:,} characters", line=line)
        elif text.startswith("{"):
            yield line, text
        else:
            yield Refused(UNREADABLE, f"{shown(text.strip())} is no game: each is a JSON object", line=line)

    def _forget_long(self) -> Iterator[Refused]:
        """Keep a text that is too long from filling the memory."""
        if not self._depth:
            yield from self._drop(len(self._text))
        elif self._at > LARGEST_OBJECT:
            self._too_long = True
            self._line += self._text.count("\n", 0, self._at)
            self._text, self._at = self._text[self._at :], 0
        elif len(self._text) > 2 * LARGEST_OBJECT:
            self._lost, self._depth = True, 0
            yield Refused(UNREADABLE, "a text without end: the rest of the file is not read", line=self._line)

    def end(self) -> Iterator[Refused]:
        """Refuse an object that was never closed."""
        if self._depth:
            yield Refused(UNREADABLE, "the file ends within this game", line=self._line)
