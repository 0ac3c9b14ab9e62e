"""The native formats: `.tji` records and the same as JSON lines."""

from __future__ import annotations

import json
from typing import TextIO

from taiji.notation.interchange.errors import ConversionError
from taiji.notation.interchange.json_stream import parse_json
from taiji.notation.interchange.replayed import ImportedGame, ImportStream, replay_and_check
from taiji.notation.record_json import record_from_json, record_to_json
from taiji.notation.record_reader import RecordReader
from taiji.notation.record_writer import format_record
from taiji.notation.records import Record
from taiji.notation.replays import Replayer, replay_with_rules, validate
from taiji.rules.errors import NotationError


def read_tji(stream: TextIO, replayer: Replayer = replay_with_rules) -> ImportStream:
    """Read `.tji` records; a result that contradicts the rules is an error, as an illegal move is."""
    reader = RecordReader(stream, check=False)
    while True:
        try:
            record = next(reader)
        except StopIteration:
            return
        except NotationError as error:
            yield error
        else:
            yield _import_record(record, replayer)


def read_json_lines(stream: TextIO, replayer: Replayer = replay_with_rules) -> ImportStream:
    """Read records as `record_to_json` makes them, one per line."""
    for number, line in enumerate(stream, 1):
        if not line.strip():
            continue
        try:
            record = record_from_json(parse_json(line.rstrip(), number), check=False)
        except ConversionError as error:
            yield error
        except NotationError as error:
            yield error.at(line=number)
        else:
            yield _import_record(record, replayer, number)


def _import_record(
    record: Record, replayer: Replayer, line: int | None = None
) -> ImportedGame | NotationError:
    try:
        if any(step.variations for step in record.steps):
            record = validate(record)
        return replay_and_check(record, replayer)
    except ConversionError as error:
        return error.with_line(line)
    except NotationError as error:
        return error if error.line or line is None else error.at(line=line)


def format_tji(imported: ImportedGame) -> str:
    """Format a game as a `.tji` record."""
    return format_record(imported.record)


def format_json_line(imported: ImportedGame) -> str:
    """Format a game as one line of JSON."""
    return json.dumps(record_to_json(imported.record), ensure_ascii=False)
