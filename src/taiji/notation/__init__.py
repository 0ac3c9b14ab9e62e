"""Moves, positions and records as text; the rules of games are in `taiji.rules`."""

from taiji.notation.positions import format_position, parse_position, position_text
from taiji.notation.record_json import record_from_json, record_to_json
from taiji.notation.record_reader import RecordReader, open_records, parse_record, read_records
from taiji.notation.record_writer import format_record, write_record
from taiji.notation.records import Evaluation, Record, RecordedMove, Result, Score, Termination, Variation
from taiji.notation.replays import Replay
from taiji.rules.errors import NotationError
from taiji.rules.move_text import parse_move

__all__ = [
    "Evaluation",
    "NotationError",
    "Record",
    "RecordReader",
    "RecordedMove",
    "Replay",
    "Result",
    "Score",
    "Termination",
    "Variation",
    "format_position",
    "format_record",
    "open_records",
    "parse_move",
    "parse_position",
    "parse_record",
    "position_text",
    "read_records",
    "record_from_json",
    "record_to_json",
    "write_record",
]
