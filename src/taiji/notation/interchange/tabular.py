"""Games as rows, one per ply or one per game, in CSV or Parquet."""

from __future__ import annotations

import csv
from bisect import bisect
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

from taiji.notation.interchange.replayed import ImportedGame, move_texts
from taiji.notation.positions import position_from_texts
from taiji.rules import NameKomi, Placement, Seat, Swap

if TYPE_CHECKING:
    from taiji.notation.records import Record
    from taiji.rules import Game

ROWS_PER_BATCH = 20_000
"""Number of rows buffered before they are written to a Parquet file."""

Row = dict[str, Any]

POSITION_COLUMNS = {
    "number": "int32",
    "game": "string",
    "light": "string",
    "dark": "string",
    "ply": "int16",
    "mover": "string",
    "colour": "string",
    "stage": "int8",
    "position": "string",
    "choices": "int32",
    "move": "string",
    "action": "int32",
    "light_score": "float64",
    "dark_score": "float64",
    "result": "string",
    "final_light": "float64",
    "final_dark": "float64",
}
"""Columns of the rows of plies and their types; `position` is before the move, the scores after it."""

GAME_COLUMNS = {
    "number": "int32",
    "game": "string",
    "light": "string",
    "dark": "string",
    "date": "string",
    "event": "string",
    "site": "string",
    "plies": "int16",
    "result": "string",
    "winner": "string",
    "termination": "string",
    "light_score": "float64",
    "dark_score": "float64",
    "moves": "string",
}
"""Columns of the rows of games and their types."""

ROW_TYPES = {"positions": POSITION_COLUMNS, "games": GAME_COLUMNS}
_SEATS = ("light", "dark")


def game_rows(imported: ImportedGame, game_no: int, row_type: str) -> Iterator[Row]:
    """Return the rows of a game for one of the `ROW_TYPES`; `game_no` counts from 1."""
    if row_type == "positions":
        return _position_rows(imported, game_no)
    return iter([_game_row(imported, game_no)])


def _common_columns(record: Record, game_no: int) -> Row:
    names = {"light": record.tag("Light"), "dark": record.tag("Dark")}
    return {"number": game_no, "game": str(record.game), **names, "result": record.result.value}


def _final_scores(imported: ImportedGame) -> tuple[float | None, float | None]:
    return tuple(map(float, imported.record.score)) if imported.record.score else (None, None)  # type: ignore[return-value]


def _position_rows(imported: ImportedGame, game_no: int) -> Iterator[Row]:
    record = imported.record
    final_light, final_dark = _final_scores(imported)
    shared = {**_common_columns(record, game_no), "final_light": final_light, "final_dark": final_dark}
    first, texts = record.first, move_texts(record.game)
    board = _PlacementTexts(record.game, first.placed)
    swapped, komi = first.swapped, first.komi
    for ply, turn in enumerate(imported.replayed.plies, first.ply + 1):
        move = texts[turn.move.action]
        yield {
            **shared,
            "ply": ply,
            "mover": _SEATS[turn.seat],
            "colour": turn.colour.name.lower(),
            "stage": turn.stage + 1,
            "position": position_from_texts(record.game, board.texts(turn.stage), turn.colour, swapped, komi),
            "choices": turn.choices,
            "move": move,
            "action": turn.move.action,
            "light_score": float(turn.scores.first),
            "dark_score": float(turn.scores.second),
        }
        if isinstance(turn.move, Placement):
            board.add(turn.move, move)
        swapped = swapped or isinstance(turn.move, Swap)
        komi = turn.move.half_points if isinstance(turn.move, NameKomi) else komi


class _PlacementTexts:
    """The texts of each stage's placements, sorted by action."""

    def __init__(self, game: Game, placed: tuple[tuple[int, ...], ...]) -> None:
        self._actions: list[list[int]] = [[] for _ in game.stages]
        self._texts: list[list[str]] = [[] for _ in game.stages]
        for action in (action for stage in placed for action in stage):
            self.add(game.placements[action], str(game.placements[action]))

    def add(self, placement: Placement, text: str) -> None:
        """Add a placement."""
        actions = self._actions[placement.stage_index]
        index = bisect(actions, placement.action)
        actions.insert(index, placement.action)
        self._texts[placement.stage_index].insert(index, text)

    def texts(self, stage: int) -> list[list[str]]:
        """Return the texts of the stages up to this one."""
        return self._texts[: stage + 1]


def _game_row(imported: ImportedGame, game_no: int) -> Row:
    record = imported.record
    light, dark = _final_scores(imported)
    winner = record.result.winner
    return {
        **_common_columns(record, game_no),
        **{name: record.tag(name.capitalize()) for name in ("date", "event", "site")},
        "plies": len(record.steps),
        "winner": None if winner is None else _SEATS[Seat(winner)],
        "termination": record.termination.value if record.termination else None,
        "light_score": light,
        "dark_score": dark,
        "moves": " ".join(record.moves),
    }


class CsvWriter:
    """Writes rows as CSV with a header line; unknown values are empty."""

    def __init__(self, stream: TextIO, row_type: str) -> None:
        self._row_type = row_type
        self._writer = csv.DictWriter(stream, list(ROW_TYPES[row_type]), lineterminator="\n")
        self._writer.writeheader()

    def write(self, imported: ImportedGame, game_no: int) -> None:
        """Write the rows of a game."""
        for row in game_rows(imported, game_no, self._row_type):
            self._writer.writerow({name: _drop_zero_fraction(value) for name, value in row.items()})

    def close(self) -> None:
        """Close the sink; CSV rows are not buffered."""


def _drop_zero_fraction(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


class ParquetWriter:
    """Writes rows to a Parquet file in batches."""

    def __init__(self, stream: BinaryIO, row_type: str) -> None:
        try:
            import pyarrow as pa
            from pyarrow import parquet
        except ModuleNotFoundError as error:
            raise ValueError("Parquet needs the package pyarrow (pip install 'taiji[study]')") from error
        self._arrow = pa
        self._row_type = row_type
        types = {"string": pa.string, "float64": pa.float64}
        types |= {"int8": pa.int8, "int16": pa.int16, "int32": pa.int32}
        self._schema = pa.schema([(name, types[kind]()) for name, kind in ROW_TYPES[row_type].items()])
        self._file = parquet.ParquetWriter(stream, self._schema)
        self._rows: list[Row] = []

    def write(self, imported: ImportedGame, game_no: int) -> None:
        """Buffer the rows of a game, and write a batch when it is full."""
        self._rows += game_rows(imported, game_no, self._row_type)
        if len(self._rows) >= ROWS_PER_BATCH:
            self._flush()

    def _flush(self) -> None:
        self._file.write_table(self._arrow.Table.from_pylist(self._rows, self._schema))
        self._rows = []

    def close(self) -> None:
        """Write the last batch and the end of the file."""
        if self._rows:
            self._flush()
        self._file.close()
