"""Split a stream of records into the texts of single games, holding one at a time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_GAME_CHARS = 1_000_000
"""Maximum length of one game; games of the catalogue have at most about 2,000 without comments."""

_TAG = re.compile(r'\s*\[\s*[A-Za-z][A-Za-z0-9_]*\s+"')
_RESULT = re.compile(r"(?:^|\s)(?:1-0|0-1|1/2-1/2|\*)\s*$")


@dataclass(frozen=True, slots=True)
class RawGame:
    """The text of one game and the line of the file on which it starts."""

    line: int
    text: str
    too_long: bool = False


def split_games(stream: TextIO) -> Iterator[RawGame]:
    """Yield the games of a stream.

    After moves, the next game starts with a tag pair at the start of a line, or with any text after a result
    and a blank line. This holds within comments too, so that an unclosed brace affects one game only.
    """
    held: list[str] = []
    size = 0
    first = 1
    moves_seen = has_result = ended = False
    for number, line in enumerate(_lines(stream), 1):
        blank, is_tag = not line.strip(), bool(_TAG.match(line))
        if (is_tag and moves_seen) or (ended and not blank):
            yield RawGame(first, "".join(held), size > MAX_GAME_CHARS)
            held, size, moves_seen, ended = [], 0, False, False
        if blank and not held:
            continue
        if not held:
            first = number
        ended = blank and (ended or has_result)
        has_result = bool(_RESULT.search(line))
        moves_seen = moves_seen or not (is_tag or blank)
        size += len(line)
        if size <= MAX_GAME_CHARS or not held:
            held.append(line)
    if held:
        yield RawGame(first, "".join(held), size > MAX_GAME_CHARS)


def _lines(stream: TextIO) -> Iterator[str]:
    """Yield the lines of a stream, each cut to the maximum length of a game."""
    while line := stream.readline(MAX_GAME_CHARS + 1):
        rest = line
        while rest and not rest.endswith("\n"):
            rest = stream.readline(MAX_GAME_CHARS + 1)
        yield line
