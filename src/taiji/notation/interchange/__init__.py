"""Everybody else's files: AbstractPlay, Ludii, SGF, CSV and Parquet, read and written by one pipeline."""

from taiji.notation.interchange.abstractplay import (
    abstractplay_record,
    format_abstractplay,
    format_abstractplay_move,
    read_abstractplay,
)
from taiji.notation.interchange.conversion import Sink, Tally, TextSink, convert, make_sink
from taiji.notation.interchange.courses import Course, Found, Ply, Read, Referee, judge
from taiji.notation.interchange.formats import FORMATS, Format, format_named, format_of_file
from taiji.notation.interchange.ludii import format_ludii, read_ludii
from taiji.notation.interchange.refusals import Refused, where, why
from taiji.notation.interchange.sgf import format_sgf
from taiji.notation.interchange.tables import TABLES, CsvTable, ParquetTable, rows_of

__all__ = [
    "FORMATS",
    "TABLES",
    "Course",
    "CsvTable",
    "Format",
    "Found",
    "ParquetTable",
    "Ply",
    "Read",
    "Referee",
    "Refused",
    "Sink",
    "Tally",
    "TextSink",
    "abstractplay_record",
    "convert",
    "format_abstractplay",
    "format_abstractplay_move",
    "format_ludii",
    "format_named",
    "format_of_file",
    "format_sgf",
    "judge",
    "make_sink",
    "read_abstractplay",
    "read_ludii",
    "rows_of",
    "where",
    "why",
]
