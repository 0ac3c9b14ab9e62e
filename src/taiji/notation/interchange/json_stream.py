"""Split a JSON text into its objects, one at a time: a single object, an array, or one object per line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, TextIO

from taiji.notation.interchange.errors import UNREADABLE, ConversionError
from taiji.rules.errors import excerpt

MAX_OBJECT_CHARS = 4_000_000
"""Maximum length of one object."""
CHUNK_CHARS = 1 << 16

_TOKEN = re.compile(r'[{}]|"(?:[^"\\]|\\.)*("?)', re.DOTALL)
"""A brace, or a string; the last group is empty if the string is cut off at the end of the text."""


def json_objects(stream: TextIO) -> Iterator[tuple[int, str] | ConversionError]:
    """Yield the line and text of each object, and an error for anything between objects."""
    scanner = _ObjectScanner()
    while chunk := stream.read(CHUNK_CHARS):
        yield from scanner.feed(chunk)
    yield from scanner.finish()


def parse_json(text: str, line: int) -> Any:
    """Decode JSON; raise `ConversionError` with the line, counted from the line on which the text starts."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise ConversionError(UNREADABLE, f"not JSON: {error.msg}", line=line + error.lineno - 1) from None
    except (ValueError, RecursionError):
        problem = "not JSON: number too long, or nested too deep"
        raise ConversionError(UNREADABLE, problem, line=line) from None


class _ObjectScanner:
    """Tracks braces and strings, and buffers at most one object."""

    def __init__(self) -> None:
        self._text = ""
        self._scanned = 0
        """Number of characters already scanned."""
        self._depth = 0
        self._line = 1
        """Line on which the buffered text starts."""
        self._too_long = self._aborted = False

    def feed(self, chunk: str) -> Iterator[tuple[int, str] | ConversionError]:
        """Add a chunk and yield the objects that it completes."""
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
        """Discard the text up to `end`; yield an error for anything but commas and brackets."""
        text, self._text, self._scanned = self._text[:end], self._text[end:], 0
        junk = text.strip(" \t\r\n,[]")
        if junk:
            yield ConversionError(
                UNREADABLE, f"unexpected {excerpt(junk)!r} (expected a JSON object)", line=self._line
            )
        self._line += text.count("\n")

    def _take_object(self, end: int) -> Iterator[tuple[int, str] | ConversionError]:
        text, line = self._text[:end], self._line
        self._text, self._scanned = self._text[end:], 0
        self._line += text.count("\n")
        if self._too_long or len(text) > MAX_OBJECT_CHARS:
            self._too_long = False
            yield ConversionError(
                UNREADABLE, f"game too long (maximum {MAX_OBJECT_CHARS:,} characters)", line=line
            )
        elif text.startswith("{"):
            yield line, text
        else:
            yield ConversionError(
                UNREADABLE, f"unexpected {excerpt(text.strip())!r} (expected a JSON object)", line=line
            )

    def _limit_memory(self) -> Iterator[ConversionError]:
        """Discard text of objects that are too long, so that memory stays bounded."""
        if not self._depth:
            yield from self._discard_separator(len(self._text))
        elif self._scanned > MAX_OBJECT_CHARS:
            self._too_long = True
            self._line += self._text.count("\n", 0, self._scanned)
            self._text, self._scanned = self._text[self._scanned :], 0
        elif len(self._text) > 2 * MAX_OBJECT_CHARS:
            self._aborted, self._depth = True, 0
            yield ConversionError(
                UNREADABLE, "unclosed string: the rest of the file is ignored", line=self._line
            )

    def finish(self) -> Iterator[ConversionError]:
        """Yield an error for an unclosed object."""
        if self._depth:
            yield ConversionError(
                UNREADABLE, "unclosed object: the file ends within this game", line=self._line
            )
