"""Cutting a stream of records into games, one at a time and never holding more than one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST_GAME = 1_000_000
"""How many characters one game may have; the longest of a catalogue game have some 2,000 without comments."""

_TAG = re.compile(r'\s*\[\s*[A-Za-z][A-Za-z0-9_]*\s+"')


@dataclass(frozen=True, slots=True)
class Chunk:
    """The text of one game and the number of its first line in the file."""

    line: int
    text: str
    too_long: bool = False


def chunks(stream: TextIO) -> Iterator[Chunk]:
    """Cut a stream into games: once moves have been seen, a tag pair at the start of a line begins the next.

    It does so even within a comment, so that a brace that was never closed spoils one game and no more.
    """
    held: list[str] = []
    size = 0
    first = 1
    moves_seen = False
    for number, line in enumerate(_lines(stream), 1):
        is_tag = bool(_TAG.match(line))
        if is_tag and moves_seen:
            yield Chunk(first, "".join(held), size > LARGEST_GAME)
            held, size, moves_seen = [], 0, False
        if not held:
            if not line.strip():
                continue
            first = number
        moves_seen = moves_seen or not (is_tag or not line.strip())
        size += len(line)
        if size <= LARGEST_GAME:
            held.append(line)
        elif not held:
            held.append("")
    if held:
        yield Chunk(first, "".join(held), size > LARGEST_GAME)


def _lines(stream: TextIO) -> Iterator[str]:
    """Yield the lines of a stream; what a line has beyond the largest game is dropped unread."""
    while line := stream.readline(LARGEST_GAME + 1):
        rest = line
        while rest and not rest.endswith("\n"):
            rest = stream.readline(LARGEST_GAME + 1)
        yield line
