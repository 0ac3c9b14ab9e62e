"""Read and write files of records in any known format, one game at a time."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self, TextIO

from taiji.notation.encoding import read_text
from taiji.notation.interchange import FORMATS, Format, format_for_file, get_format, make_sink
from taiji.notation.interchange.replayed import replay_and_check
from taiji.notation.interchange.tabular import ROW_TYPES
from taiji.notation.records import Record
from taiji.notation.replays import Replayer, replay_with_rules, validate
from taiji.rules.errors import NotationError, check_callback, check_type

PathLike = str | os.PathLike[str]
OnError = Callable[[NotationError], None]
PARTIAL = ".partial"
"""Suffix of a file while it is written."""

_SIGNATURES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("tji", re.compile(r'\[\s*[A-Za-z][A-Za-z0-9_]*\s+"')),
    ("ludii", re.compile(r"game=")),
    ("abstractplay", re.compile(r'(?:\[\s*)?\{.*?"(?:header|stack)"\s*:', re.DOTALL)),
    ("jsonl", re.compile(r'\{.*?"game"\s*:\s*"', re.DOTALL)),
    ("sgf", re.compile(r"\(\s*;")),
    ("parquet", re.compile(r"PAR1")),
)
"""How the text of a file begins in each format that can be told by its content."""


def detect_format(head: bytes, name: str) -> Format:
    """Return the format of a file by its first bytes, or else by its extension; raise ValueError."""
    text = head.decode("utf-8-sig", errors="replace").lstrip()
    for format_name, signature in _SIGNATURES:
        if signature.match(text):
            return FORMATS[format_name]
    return format_for_file(name)


class RecordFile:
    """Iterator over the records of a file; it closes the file at its end, or as a context manager."""

    def __init__(
        self, data: BinaryIO, format_: Format, replayer: Replayer, on_error: OnError | None = None
    ) -> None:
        self._stream: TextIO | None = None
        if format_.read is None:
            raise ValueError(f"{data.name}: the {format_.name} format cannot be read, only written")
        self.format = format_.name
        """Name of the format that is read."""
        self._stream = read_text(data)
        self._games = format_.read(self._stream, replayer)
        self._on_error = on_error

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Record:
        for item in self._games:
            if not isinstance(item, NotationError):
                return item.record
            if self._on_error is None:
                raise item
            self._on_error(item)
        self.close()
        raise StopIteration

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        if self._stream is not None:
            self._stream.close()


def read_file(
    path: PathLike,
    *,
    format: str | None = None,  # noqa: A002 - the word that a caller expects
    on_error: OnError | None = None,
    replayer: Replayer = replay_with_rules,
) -> RecordFile:
    """Open a file of records, of the format that its content, its extension or `format` says.

    The records come one at a time, checked by the rules and in canonical form. The error of a game is passed
    to `on_error`, or raised if that is None; the iterator then continues with the next game.
    """
    check_type("path", path, (str, os.PathLike), "a path")
    check_callback("on_error", on_error)
    form = None if format is None else get_format(format)
    data = Path(path).open("rb")  # noqa: SIM115 - closed by the RecordFile, or below
    try:
        form = form or detect_format(data.peek(), str(path))
        return RecordFile(data, form, replayer, on_error)
    except BaseException:
        data.close()
        raise


def write_file(
    path: PathLike,
    records: Record | Iterable[Record],
    *,
    format: str | None = None,  # noqa: A002 - as above
    rows: str = "positions",
    replayer: Replayer = replay_with_rules,
) -> int:
    """Write records to a file, in the format of its extension or `format`; return how many.

    Each record is checked by the rules. The file appears once it is complete; if a record is invalid, or the
    format cannot hold it, `NotationError` is raised and the file stays as it was. `rows` is what a row of CSV
    or Parquet holds: one of the `positions` or one of the `games`.
    """
    check_type("path", path, (str, os.PathLike), "a path")
    form = format_for_file(str(path)) if format is None else get_format(format)
    check_type("rows", rows, str, "a text")
    if rows not in ROW_TYPES:
        raise ValueError(f"rows={rows!r}: invalid (expected {' or '.join(ROW_TYPES)})")
    games = _checked(records)
    target = Path(path)
    partial = target.with_name(target.name + PARTIAL)
    count = 0
    try:
        with create_partial(partial, form) as stream:
            sink = make_sink(form, stream, rows)
            for count, record in enumerate(games, 1):
                sink.write(replay_and_check(record, replayer), count)
            sink.close()
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
    return count


def _checked(records: Record | Iterable[Record]) -> Iterator[Record]:
    """Return the records with valid variations; raise TypeError for anything else."""
    expected = "a Record or an iterable of them"
    if isinstance(records, Record):
        records = (records,)
    check_type("records", records, Iterable, expected)

    def check(record: Record) -> Record:
        check_type("records", record, Record, expected)
        return validate(record) if any(step.variations for step in record.steps) else record

    return map(check, records)


def create_partial(path: Path, form: Format) -> TextIO | BinaryIO:
    """Open a file that becomes another once it is complete; an error names that other file."""
    try:
        if form.name == "parquet":
            return path.open("wb")
        return path.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        error.filename = str(path).removesuffix(PARTIAL)
        raise
