"""A book of openings: positions up to symmetry with counts, results and engine values, in a compact file.

The file is a line of JSON (the header) and five columns, sorted by key: keys of 6 bytes, counts and wins of
Light of 4 bytes, the mean margin of Light in half points (int8, -128 if unknown), and the mean win
probability of Light by the engine in steps of 0.5 % (uint8, 255 if unknown). Numbers are little-endian.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from taiji.analysis.slugs import game_slug
from taiji.rules import Game, GameError, parse_game
from taiji.rules.errors import excerpt

MAGIC = "taiji-book"
VERSION = 1
SUFFIX = ".book"
KEY_BYTES, RECORD_BYTES = 6, 16
UNKNOWN_VALUE, UNKNOWN_MARGIN = 255, -128
VALUE_STEPS = 200
MAX_BOOK_BYTES = 64 << 20


class BookError(ValueError):
    """A file that is not a book."""


@dataclass(frozen=True, slots=True)
class Stats:
    """What is known of a position: results by colour, and means over all games that reached it."""

    games: int
    light_wins: int
    light_value: float | None = None
    """Win probability of Light by the engine, 0 to 1."""
    light_margin: float | None = None
    """Final margin of Light in points."""

    def __add__(self, other: Stats) -> Stats:
        """Add the results of other games; engine values are kept from whichever has them."""
        games = self.games + other.games
        margins = [(s.light_margin, s.games) for s in (self, other) if s.light_margin is not None]
        weight = sum(count for _, count in margins)
        return Stats(
            games,
            self.light_wins + other.light_wins,
            other.light_value if self.light_value is None else self.light_value,
            sum(margin * count for margin, count in margins) / weight if weight else None,
        )


class Book:
    """A book in memory; it reads a record only when it is looked up."""

    def __init__(self, header: dict[str, Any], data: bytes) -> None:
        self.header = header
        self.positions: int = header["positions"]
        self._data = data
        self._keys = _Keys(data, self.positions)

    @property
    def game(self) -> str:
        """The game, in its canonical text."""
        return str(self.header["game"])

    @property
    def games(self) -> int:
        """Number of games the book was built from."""
        return int(self.header["games"])

    def find(self, key: int) -> Stats | None:
        """Return what is known of the position with this key."""
        index = bisect_left(self._keys, key)
        if index == self.positions or self._keys[index] != key:
            return None
        n, data = self.positions, self._data
        at = KEY_BYTES * n + 4 * index
        count = int.from_bytes(data[at : at + 4], "little")
        wins = int.from_bytes(data[at + 4 * n : at + 4 * n + 4], "little")
        margin = data[(KEY_BYTES + 8) * n + index]
        margin -= 256 if margin > 127 else 0
        value = data[(KEY_BYTES + 9) * n + index]
        return Stats(
            count,
            wins,
            None if value == UNKNOWN_VALUE else value / VALUE_STEPS,
            None if margin == UNKNOWN_MARGIN else margin / 2,
        )


class _Keys:
    """The column of keys as a sequence."""

    def __init__(self, data: bytes, length: int) -> None:
        self._data = data
        self._length = length

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: int) -> int:
        at = KEY_BYTES * index
        return int.from_bytes(self._data[at : at + KEY_BYTES], "little")


def read_book(path: Path | str) -> Book:
    """Read a book; raise `BookError` if the file is not one."""
    path = Path(path)
    if path.stat().st_size > MAX_BOOK_BYTES:
        raise BookError(f"{path}: too large (expected at most {MAX_BOOK_BYTES:,} bytes)")
    line, _, data = path.read_bytes().partition(b"\n")
    header = _parse_header(line)
    if header is None:
        shown = excerpt(line[:40].decode("utf-8", "replace"))
        raise BookError(f"{path}:1: {shown!r} is not the header of a book (expected version {VERSION})")
    if len(data) != RECORD_BYTES * header["positions"]:
        expected = f"expected {RECORD_BYTES} for each of {header['positions']} positions"
        raise BookError(f"{path}: {len(data):,} bytes after the header ({expected})")
    return Book(header, data)


def _parse_header(line: bytes) -> dict[str, Any] | None:
    """Return the header, or None if the line is not one."""
    try:
        header = json.loads(line)
        is_book = header[MAGIC] == VERSION and str(parse_game(header["game"])) == header["game"]
        counts = header["positions"], header["games"]
    except (ValueError, KeyError, TypeError, GameError, RecursionError):
        return None
    return header if is_book and all(isinstance(count, int) for count in counts) else None


def book_name(game: Game) -> str:
    """Return the name of a game's book, such as `taiji-7`."""
    return game_slug(str(game))


@lru_cache(maxsize=16)
def shipped_book(game: Game) -> Book | None:
    """Return the book of the package for a game, or None."""
    path = Path(str(resources.files("taiji.analysis.explorer"))) / "books" / f"{book_name(game)}{SUFFIX}"
    if not path.exists():
        return None
    book = read_book(path)
    return book if book.game == str(game) else None
