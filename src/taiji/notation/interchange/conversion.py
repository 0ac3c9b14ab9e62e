"""Converting: games in, games out, and a tally of what was refused and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import BinaryIO, Protocol, TextIO, cast

from taiji.notation.errors import NotationError
from taiji.notation.interchange.courses import Found, Read
from taiji.notation.interchange.formats import Format
from taiji.notation.interchange.refusals import why
from taiji.notation.interchange.tables import CsvTable, ParquetTable


class Sink(Protocol):
    """Takes games one by one; raises `NotationError` for one that it cannot tell."""

    def write(self, found: Found, number: int) -> None:
        """Take a game, the so-manieth."""
        ...

    def close(self) -> None:
        """Finish what was begun."""
        ...


class TextSink:
    """Writes games of one format to a stream; brackets around them only where there are several."""

    def __init__(self, stream: TextIO, form: Format) -> None:
        assert form.write is not None
        self._stream = stream
        self._form = form
        self._text = form.write
        self._first = ""
        self._count = 0

    def write(self, found: Found, number: int) -> None:
        """Write a game; the first is held back until it is known whether it stays alone."""
        text = self._text(found)
        self._count += 1
        if self._count == 1:
            self._first = text
            return
        if self._count == 2:
            self._stream.write(self._form.around[0] + self._first)
        self._stream.write(self._form.between + text)

    def close(self) -> None:
        """Write what was held back, and the end."""
        if self._count == 1:
            self._stream.write(self._first + "\n")
        elif self._count:
            self._stream.write(self._form.around[1] + "\n")


def make_sink(form: Format, stream: TextIO | BinaryIO, table: str = "positions") -> Sink:
    """Return what writes a format to a stream; Parquet wants one of bytes."""
    if form.write is not None:
        return TextSink(cast("TextIO", stream), form)
    if form.name == "parquet":
        return ParquetTable(cast("BinaryIO", stream), table)
    return CsvTable(cast("TextIO", stream), table)


@dataclass(slots=True)
class Tally:
    """How many games were read and written, and how many of them refused for what."""

    read: int = 0
    written: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        """Add another file's games."""
        self.read += other.read
        self.written += other.written
        self.refused += other.refused
        self.notes += other.notes


def convert(
    games: Read, sink: Sink, form: Format, on_refused: Callable[[int, NotationError], None], written: int = 0
) -> Tally:
    """Give games to a sink; each that is refused is told with its number, and the rest goes on."""
    tally = Tally()
    for number, item in enumerate(games, 1):
        tally.read += 1
        try:
            if isinstance(item, NotationError):
                raise item
            sink.write(item, written + tally.written + 1)
        except NotationError as error:
            tally.refused[why(error)] += 1
            on_refused(number, error)
            continue
        tally.written += 1
        tally.notes.update([*item.notes, *form.lost(item)])
    return tally
