"""Sinks and counts: what is written between games, and what is counted."""

from __future__ import annotations

import io
from collections import Counter

import pytest

from taiji.notation import NotationError
from taiji.notation.interchange import (
    FORMATS,
    ConversionError,
    ConversionStats,
    CsvWriter,
    ParquetWriter,
    TextSink,
    convert,
    error_location,
    format_for_file,
    get_format,
    make_sink,
)
from taiji.notation.interchange.json_values import int_field, object_list, optional_field, required_field
from tests.notation.interchange.samples import game_record, imported, with_steps


def written(count: int, name: str = "abstractplay") -> str:
    stream = io.StringIO()
    sink = make_sink(FORMATS[name], stream)
    for number in range(count):
        sink.write(imported(game_record("taiji:size=7", number)), number + 1)
    sink.close()
    return stream.getvalue()


def test_brackets_only_around_several_games() -> None:
    assert written(0) == ""
    assert written(1).startswith("{")
    assert written(1).endswith("}\n")
    two, three = written(2), written(3)
    assert two.startswith("[\n{")
    assert two.endswith("}\n]\n")
    assert (two.count("},\n{"), three.count("},\n{")) == (1, 2)
    assert isinstance(make_sink(FORMATS["tji"], io.StringIO()), TextSink)


def test_a_conversion_counts_what_it_reads_writes_and_rejects() -> None:
    good = imported(with_steps(game_record("taiji:size=7"), comment="here"))
    bad = ConversionError("wrong result", "no", line=3, ply=2)
    errors: list[tuple[int, NotationError]] = []
    numbers: list[int] = []

    class Sink:
        def write(self, imported: object, game_no: int) -> None:
            numbers.append(game_no)

        def close(self) -> None: ...

    target = FORMATS["csv"]
    stats = convert(
        iter([good, bad, good]), Sink(), target, lambda number, error: errors.append((number, error)), 4
    )
    assert (stats.read, stats.written, stats.rejected) == (3, 2, Counter({"wrong result": 1}))
    assert (numbers, errors) == ([5, 6], [(2, bad)])
    assert stats.notes == Counter({"comments left out": 2})
    stats.add(ConversionStats(2, 1, Counter({"wrong result": 1}), Counter({"comments left out": 1})))
    assert (stats.read, stats.written) == (5, 3)
    assert (stats.rejected["wrong result"], stats.notes["comments left out"]) == (2, 3)


def test_locations_and_lines_of_errors() -> None:
    error = ConversionError("wrong result", "no", ply=2)
    assert error_location(error) == "ply 2"
    assert error_location(error.with_line(7)) == "line 7, ply 2"
    assert error.with_line(7).with_line(9).line == 7
    assert error_location(NotationError("no")) == ""


def test_formats_by_name_and_extension() -> None:
    assert get_format("TJI") is FORMATS["tji"]
    assert format_for_file("a/b.TRL") is FORMATS["ludii"]
    with pytest.raises(ValueError, match="unknown format 'x' \\(expected tji"):
        get_format("x")
    with pytest.raises(ValueError, match=r"unknown extension '\.x'"):
        format_for_file("games.x")


def test_rows_have_writers_of_their_own() -> None:
    tabular = {name for name, target in FORMATS.items() if target.is_tabular}
    assert tabular == {"csv", "parquet"}
    assert isinstance(make_sink(FORMATS["csv"], io.StringIO()), CsvWriter)
    assert isinstance(make_sink(FORMATS["parquet"], io.BytesIO()), ParquetWriter)


def test_fields_of_json_values() -> None:
    value = {"a": 1.9, "b": [{}, {}], "c": "text", "d": None, "e": True, "f": float("inf")}
    assert int_field(value, "a") == 1
    assert object_list(value, "b", 2) == [{}, {}]
    assert optional_field(value, "d", str, "default") == "default"
    assert required_field(value, "c", str) == "text"
    for problem in (
        lambda: int_field(value, "e"),
        lambda: int_field(value, "f"),
        lambda: object_list(value, "b", 3),
        lambda: optional_field(value, "c", list, []),
        lambda: required_field(value, "d", str),
        lambda: required_field([], "d", str),
    ):
        with pytest.raises(ConversionError):
            problem()
