"""Converting: games in, games out, and a tally of what was refused and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import BinaryIO, Protocol, TextIO, cast

from taiji.notation.errors import NotationError
from taiji.notation.interchange.errors import error_category
from taiji.notation.interchange.formats import Format
from taiji.notation.interchange.replayed import ImportedGame, ImportStream
from taiji.notation.interchange.tabular import CsvWriter, ParquetWriter


class Sink(Protocol):
    """Takes games one by one; raises `NotationError` for one that it cannot tell."""

    def write(self, imported: ImportedGame, game_no: int) -> None:
        """Take a game, the so-manieth."""
        ...

    def close(self) -> None:
        """Finish what was begun."""
        ...


class TextSink:
    """Writes games of one format to a stream; brackets around them only where there are several."""

    def __init__(self, stream: TextIO, format_: Format) -> None:
        assert format_.write is not None
        self._stream = stream
        self._format = format_
        self._text = format_.write
        self._first = ""
        self._count = 0

    def write(self, imported: ImportedGame, game_no: int) -> None:
        """Write a game; the first is held back until it is known whether it stays alone."""
        text = self._text(imported)
        self._count += 1
        if self._count == 1:
            self._first = text
            return
        if self._count == 2:
            self._stream.write(self._format.brackets[0] + self._first)
        self._stream.write(self._format.separator + text)

    def close(self) -> None:
        """Write what was held back, and the end."""
        if self._count == 1:
            self._stream.write(self._first + "\n")
        elif self._count:
            self._stream.write(self._format.brackets[1] + "\n")


def make_sink(format_: Format, stream: TextIO | BinaryIO, row_type: str = "positions") -> Sink:
    """Return what writes a format to a stream; Parquet wants one of bytes."""
    if format_.write is not None:
        return TextSink(cast("TextIO", stream), format_)
    if format_.name == "parquet":
        return ParquetWriter(cast("BinaryIO", stream), row_type)
    return CsvWriter(cast("TextIO", stream), row_type)


@dataclass(slots=True)
class ConversionStats:
    """How many games were read and written, and how many of them refused for what."""

    read: int = 0
    written: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)

    def add(self, other: ConversionStats) -> None:
        """Add another file's games."""
        self.read += other.read
        self.written += other.written
        self.rejected += other.rejected
        self.notes += other.notes


def convert(
    games: ImportStream,
    sink: Sink,
    format_: Format,
    on_error: Callable[[int, NotationError], None],
    written: int = 0,
) -> ConversionStats:
    """Give games to a sink; each that is refused is told with its number, and the rest goes on."""
    stats = ConversionStats()
    for number, item in enumerate(games, 1):
        stats.read += 1
        try:
            if isinstance(item, NotationError):
                raise item
            sink.write(item, written + stats.written + 1)
        except NotationError as error:
            stats.rejected[error_category(error)] += 1
            on_error(number, error)
            continue
        stats.written += 1
        stats.notes.update([*item.notes, *format_.omitted(item)])
    return stats
