"""Everybody else's files: AbstractPlay, Ludii, SGF, CSV and Parquet, read and written by one pipeline."""

from taiji.notation.interchange.abstractplay import (
    abstractplay_record,
    format_abstractplay,
    format_abstractplay_move,
    read_abstractplay,
)
from taiji.notation.interchange.conversion import Sink, ConversionStats, TextSink, convert, make_sink
from taiji.notation.interchange.courses import (
    ReplayedPlies,
    ImportedGame,
    ReplayedPly,
    ImportStream,
    Replayer,
    replay_with_rules,
)
from taiji.notation.interchange.formats import FORMATS, Format, get_format, format_for_file
from taiji.notation.interchange.ludii import format_ludii, read_ludii
from taiji.notation.interchange.refusals import ConversionError, error_location, error_category
from taiji.notation.interchange.sgf import format_sgf
from taiji.notation.interchange.tables import ROW_TYPES, CsvWriter, ParquetWriter, game_rows

__all__ = [
    "FORMATS",
    "ROW_TYPES",
    "ReplayedPlies",
    "CsvWriter",
    "Format",
    "ImportedGame",
    "ParquetWriter",
    "ReplayedPly",
    "ImportStream",
    "Replayer",
    "ConversionError",
    "Sink",
    "ConversionStats",
    "TextSink",
    "abstractplay_record",
    "convert",
    "format_abstractplay",
    "format_abstractplay_move",
    "format_ludii",
    "get_format",
    "format_for_file",
    "format_sgf",
    "replay_with_rules",
    "make_sink",
    "read_abstractplay",
    "read_ludii",
    "game_rows",
    "error_location",
    "error_category",
]
