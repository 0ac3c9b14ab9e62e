"""The files of the dataset: parts that a run resumes from, and one Parquet file per game definition."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet
from tools.dataset.rows import SCHEMA, VERSION, DatasetError

ROW_GROUP = 20_000


def file_name(game: str) -> str:
    """Return the name of the file of a game: `taiji-size-9` of `taiji:size=9`."""
    return re.sub(r"[^a-z0-9+]+", "-", game)


def write_rows(path: Path, rows: Iterable[dict[str, Any]]) -> int:
    """Write rows; the file appears once it is complete. Return the number of rows."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".partial")
    count = 0
    rows = iter(rows)
    with _writer(draft) as writer:
        while batch := list(islice(rows, ROW_GROUP)):
            writer.write_table(pa.Table.from_pylist(batch, SCHEMA))
            count += len(batch)
    draft.replace(path)
    return count


def merge(parts: Iterable[Path], path: Path, games: int) -> int:
    """Write the first `games` rows of the parts, in their order, as one file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".partial")
    left = games
    with _writer(draft) as writer:
        for part in parts:
            table = parquet.read_table(part, schema=SCHEMA).slice(0, left)
            writer.write_table(table, row_group_size=ROW_GROUP)
            left -= len(table)
            if not left:
                break
    draft.replace(path)
    return games - left


def _writer(path: Path) -> parquet.ParquetWriter:
    dictionary = ["game", "player", "winner", "actions.list.element"]
    return parquet.ParquetWriter(
        path, SCHEMA, compression="zstd", compression_level=12, use_dictionary=dictionary
    )


def check_run(folder: Path, settings: dict[str, Any]) -> None:
    """Write the settings of a run beside its parts; raise DatasetError if other ones are there."""
    settings = {"version": VERSION, **settings}
    path = folder / "run.json"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(settings) + "\n")
        return
    try:
        found = json.loads(path.read_text())
    except ValueError as error:
        raise DatasetError(f"{path}: not JSON (expected the settings of a run): {error}") from error
    if found != settings:
        raise DatasetError(f"{path}: another run, {found} (expected {settings}); choose another folder")


def read(path: Path) -> pa.Table:
    """Return the rows of a file; raise DatasetError if it is not one of this dataset."""
    try:
        table = parquet.read_table(path)
    except pa.ArrowInvalid as error:
        raise DatasetError(f"{path}: not a Parquet file: {error}") from error
    if not table.schema.equals(SCHEMA):
        raise DatasetError(f"{path}: other columns (expected {', '.join(SCHEMA.names)})")
    return table
