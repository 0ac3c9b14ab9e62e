"""Import and export: AbstractPlay, Ludii, SGF, CSV and Parquet, read and written by one pipeline."""

from taiji.notation.interchange.abstractplay import read_abstractplay
from taiji.notation.interchange.abstractplay_writer import (
    abstractplay_record,
    format_abstractplay,
    format_abstractplay_move,
)
from taiji.notation.interchange.conversion import ConversionStats, Sink, TextSink, convert, make_sink
from taiji.notation.interchange.errors import ConversionError, error_category, error_location
from taiji.notation.interchange.formats import FORMATS, Format, format_for_file, get_format
from taiji.notation.interchange.ludii import format_ludii, read_ludii
from taiji.notation.interchange.replayed import ImportedGame, ImportStream, replay_and_check
from taiji.notation.interchange.sgf import format_sgf
from taiji.notation.interchange.tabular import ROW_TYPES, CsvWriter, ParquetWriter, game_rows

__all__ = [
    "FORMATS",
    "ROW_TYPES",
    "ConversionError",
    "ConversionStats",
    "CsvWriter",
    "Format",
    "ImportStream",
    "ImportedGame",
    "ParquetWriter",
    "Sink",
    "TextSink",
    "abstractplay_record",
    "convert",
    "error_category",
    "error_location",
    "format_abstractplay",
    "format_abstractplay_move",
    "format_for_file",
    "format_ludii",
    "format_sgf",
    "game_rows",
    "get_format",
    "make_sink",
    "read_abstractplay",
    "read_ludii",
    "replay_and_check",
]
