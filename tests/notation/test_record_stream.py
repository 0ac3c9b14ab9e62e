"""Files of many games: read one at a time, in memory that does not grow with the file."""

from __future__ import annotations

import io
import os
import tracemalloc
from typing import TYPE_CHECKING

import pytest

from taiji.notation import Record, RecordReader, format_record, open_records, read_records, write_record
from taiji.rules import parse_game
from tests.notation.games import random_game

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GAMES = 100_000 if "TAIJI_SOAK" in os.environ else 2_000
MAX_BYTES = 2_000_000


class Endless(io.TextIOBase):
    """A stream that repeats a few games `games` times and holds one line at a time."""

    def __init__(self, texts: list[str], games: int) -> None:
        self._lines = self._generate(texts, games)

    @staticmethod
    def _generate(texts: list[str], games: int) -> Iterator[str]:
        for number in range(games):
            yield from texts[number % len(texts)].splitlines(keepends=True)
            yield "\n"

    def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
        return next(self._lines, "")


def records() -> list[Record]:
    return [
        Record.of(parse_game("taiji:size=3"), random_game("taiji:size=3", seed)[0], {"Round": str(seed)})
        for seed in range(10)
    ]


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("check", [True, False])
def test_a_long_file_is_read_in_constant_memory(check: bool) -> None:
    written = records()
    stream = Endless([format_record(record) for record in written], GAMES)
    reader = RecordReader(stream, check=check)
    for _ in range(20):  # caches fill up
        next(reader)
    read = 20
    tracemalloc.start()
    try:
        for record in reader:
            assert record == written[read % len(written)]
            read += 1
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert read == GAMES
    assert peak < MAX_BYTES


def test_memory_does_not_grow_with_a_game_that_never_ends() -> None:
    head = '[Game "taiji:size=4"]\n\n'
    stream = Endless([head, *["1. a1/a2 {and so on\n"] * 99], 20_000)
    reader = RecordReader(stream)
    tracemalloc.start()
    try:
        errors = sum(1 for _ in iter(lambda: _failed(reader), None))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert errors == 200
    assert peak < MAX_BYTES


def _failed(reader: RecordReader) -> bool | None:
    try:
        return None if next(reader, None) is None else False
    except ValueError:
        return True


def test_several_games_a_file(tmp_path: Path) -> None:
    path = tmp_path / "games.tji"
    with path.open("w") as file:
        for record in records():
            write_record(file, record)
    with open_records(path) as file:
        assert list(read_records(file)) == records()


def test_odd_bytes_and_line_ends_are_read(tmp_path: Path) -> None:
    path = tmp_path / "games.tji"
    text = '[Light "José"]\r\n[Game "taiji:size=3"]\r\n\r\n1. a1/a2 *\r\n'
    older = text.replace("José", "José €").encode("windows-1252")
    unknown = text.encode("windows-1252").replace(b"\xe9", b"\x81")
    path.write_bytes(b"\xef\xbb\xbf" + b"\r\n".join([text.encode("utf-8"), older, unknown]))
    with open_records(path) as file:
        names = [record.tag("Light") for record in read_records(file)]
    assert names == ["José", "José €", "Jos\ufffd"]


def test_blank_lines_and_missing_results_do_no_harm() -> None:
    text = '\n\n[Game "taiji:size=3"]\n\n\n[Light "Ann"]\n\n1. a1/a2\n\n\nb1/b2\n[Game "taiji:size=4"]\n'
    found = list(read_records(io.StringIO(text)))
    assert [(str(record.game), record.tag("Light"), record.moves) for record in found] == [
        ("taiji:size=3", "Ann", ("a1/a2", "b1/b2")),
        ("taiji:size=4", "", ()),
    ]
