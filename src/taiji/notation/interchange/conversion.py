"""Write imported games to a target format, and count what was rejected and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import BinaryIO, Protocol, TextIO, cast

from taiji.notation.interchange.errors import error_category
from taiji.notation.interchange.formats import Format
from taiji.notation.interchange.replayed import ImportedGame, ImportStream
from taiji.notation.interchange.tabular import CsvWriter, ParquetWriter
from taiji.rules.errors import NotationError


class Sink(Protocol):
    """Writes games one by one; raises `NotationError` for a game that the format cannot hold."""

    def write(self, imported: ImportedGame, game_no: int) -> None:
        """Write a game; `game_no` counts from 1."""
        ...

    def close(self) -> None:
        """Write what is still buffered, and the end of the file."""
        ...


class TextSink:
    """Writes games of one format to a stream, in brackets only if there are several."""

    def __init__(self, stream: TextIO, format_: Format) -> None:
        assert format_.write is not None
        self._stream = stream
        self._format = format_
        self._text = format_.write
        self._first = ""
        self._count = 0

    def write(self, imported: ImportedGame, game_no: int) -> None:
        """Write a game; the first is buffered until a second comes or the sink is closed."""
        text = self._text(imported)
        self._count += 1
        if self._count == 1:
            self._first = text
            return
        if self._count == 2:
            self._stream.write(self._format.brackets[0] + self._first)
        self._stream.write(self._format.separator + text)

    def close(self) -> None:
        """Write the buffered game and the closing bracket."""
        if self._count == 1:
            self._stream.write(self._first + "\n")
        elif self._count:
            self._stream.write(self._format.brackets[1] + "\n")


def make_sink(format_: Format, stream: TextIO | BinaryIO, row_type: str = "positions") -> Sink:
    """Return a sink for a format; Parquet needs a binary stream, the others one of text."""
    if format_.write is not None:
        return TextSink(cast("TextIO", stream), format_)
    if format_.name == "parquet":
        return ParquetWriter(cast("BinaryIO", stream), row_type)
    return CsvWriter(cast("TextIO", stream), row_type)


@dataclass(slots=True)
class ConversionStats:
    """Numbers of games read, written and rejected by category, and of notes by text."""

    read: int = 0
    written: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)

    def add(self, other: ConversionStats) -> None:
        """Add the numbers of another file."""
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
    """Write games to a sink; pass the number and error of a rejected game to `on_error` and continue."""
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
