"""Rows of plies and games hold what the rules say, in CSV and in Parquet alike."""

from __future__ import annotations

import csv
import io
import sys
from dataclasses import replace

import pandas as pd
import pytest

from taiji.notation import Termination, format_position
from taiji.notation.interchange import ROW_TYPES, CsvWriter, ParquetWriter
from taiji.rules import Seat
from tests.notation.interchange.samples import cut, game_record, imported

VALUES = ["taiji:size=5", "tailits", "battle-of-lits:size=6", "tailits+taiji", "taiji+battle-of-lits:size=4"]


def csv_rows(table: str, *records: object) -> list[dict[str, str]]:
    stream = io.StringIO()
    sink = CsvWriter(stream, table)
    for number, record in enumerate(records, 1):
        sink.write(imported(record), number)
    sink.close()
    return list(csv.DictReader(io.StringIO(stream.getvalue())))


@pytest.mark.parametrize("text", VALUES)
def test_every_ply_is_a_row(text: str) -> None:
    record = game_record(text, 6)
    rows = csv_rows("positions", record)
    replay = record.replay()
    states, moves = replay.states, replay.moves
    assert len(rows) == len(record.steps)
    for index, row in enumerate(rows):
        before, after = states[index], states[index + 1]
        assert row["position"] == format_position(before)
        assert int(row["choices"]) == len(before.legal())
        assert int(row["ply"]) == index + 1
        assert row["move"] == record.moves[index]
        assert before.game.move(int(row["action"])) == moves[index]
        assert row["mover"] == ("light", "dark")[before.seat_to_move]
        assert row["colour"] == before.colour_to_move.name.lower()
        assert int(row["stage"]) == before.stage_index + 1
        assert (float(row["light_score"]), float(row["dark_score"])) == tuple(after.scores())
        assert (float(row["final_light"]), float(row["final_dark"])) == tuple(record.score)
        assert row["result"] == record.result.value


def test_a_game_from_a_position_counts_on() -> None:
    whole = game_record("taiji:size=5", 6)
    part = replace(whole, start=whole.replay().states[4], steps=whole.steps[4:])
    assert csv_rows("positions", part) == csv_rows("positions", whole)[4:]


def test_every_game_is_a_row() -> None:
    record = game_record("taiji:size=5", 1)
    resigned = cut(record, 3, Termination.RESIGNED, Seat.SECOND)
    first, second = csv_rows("games", record, resigned)
    assert first["moves"].split() == list(record.moves)
    assert (first["number"], first["plies"], first["date"]) == ("1", str(len(record.steps)), "2026.11.15")
    assert first["winner"] == {Seat.FIRST: "light", Seat.SECOND: "dark"}[record.result.winner]
    assert (second["termination"], second["winner"], second["light_score"]) == ("resigned", "dark", "")


@pytest.mark.parametrize("table", ROW_TYPES)
def test_parquet_holds_the_same(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taiji.notation.interchange.tabular.ROWS_PER_BATCH", 7)
    records = [game_record(text, 6) for text in VALUES[:3]]
    data = io.BytesIO()
    sink = ParquetWriter(data, table)
    for number, record in enumerate(records, 1):
        sink.write(imported(record), number)
    sink.close()
    frame = pd.read_parquet(io.BytesIO(data.getvalue()))
    rows = csv_rows(table, *records)
    assert list(frame.columns) == list(ROW_TYPES[table]) == list(rows[0])
    text = frame.astype(object).where(frame.notna(), "")
    for row, (_, other) in zip(rows, text.iterrows(), strict=True):
        numbers = {name: float(value) for name, value in row.items() if ROW_TYPES[table][name] != "string"}
        assert numbers == {name: float(other[name]) for name in numbers}
        assert all(other[name] == value for name, value in row.items() if name not in numbers)


def test_parquet_without_its_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ValueError, match=r"pip install 'taiji\[study\]'"):
        ParquetWriter(io.BytesIO(), "games")
