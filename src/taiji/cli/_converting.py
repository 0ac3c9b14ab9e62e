"""The files of a conversion: folders, streams, progress, and a target written atomically."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TextIO

from taiji.cli._files import STDIN, source_name
from taiji.kernel.fast_replay import replay_with_kernel
from taiji.notation.encoding import read_text
from taiji.notation.files import PARTIAL, create_partial
from taiji.notation.interchange import (
    FORMATS,
    ConversionStats,
    Format,
    ImportedGame,
    ImportStream,
    Sink,
    convert,
    format_for_file,
    make_sink,
)

if TYPE_CHECKING:
    from taiji.notation import NotationError

STDOUT = "-"
PARQUET = FORMATS["parquet"]

Report = Callable[[str, int, "NotationError"], None]


@dataclass(frozen=True, slots=True)
class ConversionJob:
    """A conversion into one format; if `source_format` is None, file suffixes decide what is read."""

    source_format: Format | None
    target_format: Format
    rows: str
    report: Report

    def run(self, source: str, target: str) -> ConversionStats:
        """Convert a file, or every file of a folder; a target file appears only once it is complete."""
        if target == STDOUT:
            return self._convert_to_stream(
                source, sys.stdout.buffer if self.target_format is PARQUET else sys.stdout
            )
        if target.endswith("/") or Path(target).is_dir():
            return self._convert_files(source, Folder(Path(target), self.target_format, self.rows))
        path = Path(target)
        partial = path.with_name(path.name + PARTIAL)
        try:
            with create_partial(partial, self.target_format) as stream:
                stats = self._convert_to_stream(source, stream)
            if stats.written:
                partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)
        return stats

    def _convert_to_stream(self, source: str, stream: TextIO | BinaryIO) -> ConversionStats:
        sink = make_sink(self.target_format, stream, self.rows)
        stats = self._convert_files(source, sink)
        sink.close()
        return stats

    def _convert_files(self, source: str, sink: Sink) -> ConversionStats:
        stats = ConversionStats()
        with _progress(_size(source)) as progress:
            for path in self._files(source):
                games = _count_games(self._read(path, progress), progress)
                on_error = self._reporter(source_name(path))
                stats.add(convert(games, sink, self.target_format, on_error, stats.written))
        return stats

    def _reporter(self, name: str) -> Callable[[int, NotationError], None]:
        return lambda number, error: self.report(name, number, error)

    def _files(self, source: str) -> list[str]:
        if source == STDIN or not Path(source).is_dir():
            return [source]
        readable = [form for form in FORMATS.values() if form.read is not None]
        suffixes = {
            suffix
            for form in ([self.source_format] if self.source_format else readable)
            for suffix in form.suffixes
        }
        paths = sorted(
            path for path in Path(source).rglob("*") if path.is_file() and path.suffix.lower() in suffixes
        )
        return [str(path) for path in paths]

    def _read(self, path: str, progress: ConversionProgress) -> ImportStream:
        """Read the games of a file, and close it after the last."""
        form = self.source_format or format_for_file(path)
        if form.read is None:
            raise ValueError(f"{path}: the {form.name} format cannot be read, only written")
        data = sys.stdin.buffer if path == STDIN else Path(path).open("rb")  # noqa: SIM115 - closed below
        progress.on_file(data)
        with read_text(data) as stream:
            yield from form.read(stream, replay_with_kernel)


class Folder:
    """A sink that writes one file per game: `00001.trl`, `00002.trl`, …"""

    def __init__(self, path: Path, form: Format, rows: str) -> None:
        self._path = path
        self._form = form
        self._rows = rows

    def write(self, imported: ImportedGame, game_no: int) -> None:
        """Write a game to its own file, named after `game_no`."""
        self._path.mkdir(parents=True, exist_ok=True)
        path = self._path / f"{game_no:05}{self._form.suffixes[0]}"
        partial = path.with_name(path.name + PARTIAL)
        try:
            with create_partial(partial, self._form) as stream:
                sink = make_sink(self._form, stream, self._rows)
                sink.write(imported, game_no)
                sink.close()
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)

    def close(self) -> None:
        """Return at once: every file is already closed."""


class ConversionProgress:
    """Receives the progress of a conversion; this base class ignores it."""

    def on_file(self, data: BinaryIO) -> None:
        """Note that a file is being read."""

    def on_game(self) -> None:
        """Count a game."""


def _count_games(games: ImportStream, progress: ConversionProgress) -> ImportStream:
    for item in games:
        progress.on_game()
        yield item


def _size(source: str) -> int | None:
    path = Path(source)
    return path.stat().st_size if source != STDIN and path.is_file() else None


class _Bar(ConversionProgress):
    """A progress bar driven by the number of bytes read."""

    def __init__(self, update: Callable[[int | None, int], None]) -> None:
        self._update = update
        self._data: BinaryIO | None = None
        self._games = 0

    def on_file(self, data: BinaryIO) -> None:
        """Take the position of the bar from this file."""
        self._data = data

    def on_game(self) -> None:
        """Count a game, and update the bar every 64 games."""
        self._games += 1
        if self._games % 64 == 1:
            seekable = self._data is not None and self._data.seekable()
            self._update(self._data.tell() if seekable and self._data else None, self._games)


@contextmanager
def _progress(size: int | None) -> Iterator[ConversionProgress]:
    """Show progress if stderr is a terminal."""
    if not sys.stderr.isatty():
        yield ConversionProgress()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), TextColumn("{task.fields[games]:,} games"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=size, games=0)
        yield _Bar(lambda at, games: progress.update(task, completed=at, games=games))
