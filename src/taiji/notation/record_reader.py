"""Read records from a stream of any length, one game at a time."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, TextIO

from taiji.notation.encoding import read_text
from taiji.notation.record_parser import parse_raw_game
from taiji.notation.record_splitter import split_games
from taiji.notation.replays import validate
from taiji.rules.errors import NotationError, check_type

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from taiji.notation.records import Record


class RecordReader:
    """Iterator over the records of a stream; after a `NotationError` it continues with the next game.

    With `check`, moves and variations are checked by the rules and put into canonical form. Without, they are
    only split into texts, which is faster; `Record.replay` checks them later.
    """

    def __init__(self, stream: TextIO, *, check: bool = True) -> None:
        self._chunks = split_games(stream)
        self._check = check

    def __iter__(self) -> RecordReader:
        return self

    def __next__(self) -> Record:
        record = parse_raw_game(next(self._chunks))
        return validate(record) if self._check else record


def read_records(
    stream: TextIO, on_error: Callable[[NotationError], None] | None = None, *, check: bool = True
) -> Iterator[Record]:
    """Yield the records of a stream; pass the error of an invalid game to `on_error`, or raise it if None."""
    reader = RecordReader(stream, check=check)
    while True:
        try:
            record = next(reader)
        except StopIteration:
            return
        except NotationError as error:
            if on_error is None:
                raise
            on_error(error)
        else:
            yield record


def parse_record(text: str, *, check: bool = True) -> Record:
    """Parse a text that holds exactly one record."""
    check_type("record", text, str, "a text")
    games = list(split_games(io.StringIO(text)))
    if len(games) != 1:
        raise NotationError(f"{len(games)} records (expected one)")
    record = parse_raw_game(games[0])
    return validate(record) if check else record


def open_records(path: str | Path) -> TextIO:
    """Open a file of records, in UTF-8 or with single bytes of Windows-1252."""
    return read_text(open(path, "rb"))  # noqa: PTH123 - takes both kinds of path; closed by the stream
