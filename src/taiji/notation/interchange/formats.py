"""All formats by name and by file extension: how each is read and written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, TextIO

from taiji.notation.interchange.abstractplay import read_abstractplay
from taiji.notation.interchange.abstractplay_writer import format_abstractplay, omitted_from_abstractplay
from taiji.notation.interchange.ludii import format_ludii, omitted_from_ludii, read_ludii
from taiji.notation.interchange.native_formats import (
    format_json_line,
    format_tji,
    read_json_lines,
    read_tji,
)
from taiji.notation.interchange.replayed import describe_omissions
from taiji.notation.interchange.sgf import format_sgf
from taiji.rules.errors import check_type

if TYPE_CHECKING:
    from taiji.notation.interchange.replayed import ImportedGame, ImportStream
    from taiji.notation.replays import Replayer


@dataclass(frozen=True, slots=True)
class Format:
    """A file format with its reader and writer; None if it cannot be read, or is written as rows."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    read: Callable[[TextIO, Replayer], ImportStream] | None = None
    write: Callable[[ImportedGame], str] | None = None
    omitted: Callable[[ImportedGame], tuple[str, ...]] = lambda _: ()
    """Returns notes on what the format leaves out of a game."""
    separator: str = "\n"
    """Text between two games of a file."""
    brackets: tuple[str, str] = ("", "")
    """Text before and after the games of a file that holds several."""
    is_tabular: bool = False
    """Whether it is written as rows of plies or games."""


FORMATS = {
    format_.name: format_
    for format_ in (
        Format("tji", "records of this program", (".tji",), read_tji, format_tji),
        Format("jsonl", "the same as JSON, one per line", (".jsonl",), read_json_lines, format_json_line),
        Format(
            "abstractplay",
            "AbstractPlay game records",
            (".json",),
            read_abstractplay,
            format_abstractplay,
            omitted_from_abstractplay,
            separator=",\n",
            brackets=("[\n", "\n]"),
        ),
        Format(
            "ludii",
            "Ludii trials of its Taiji",
            (".trl", ".txt"),
            read_ludii,
            format_ludii,
            omitted_from_ludii,
        ),
        Format("sgf", "SGF FF[4], for editors of Go", (".sgf",), None, format_sgf),
        Format(
            "csv",
            "rows of plies or games",
            (".csv",),
            omitted=lambda imported: describe_omissions(imported.record),
            is_tabular=True,
        ),
        Format(
            "parquet",
            "the same for data frames",
            (".parquet",),
            omitted=lambda imported: describe_omissions(imported.record),
            is_tabular=True,
        ),
    )
}
"""All formats by name."""


def get_format(name: str) -> Format:
    """Return a format by name; raise ValueError if it is unknown."""
    check_type("format", name, str, f"one of {', '.join(FORMATS)}")
    if name.lower() not in FORMATS:
        raise ValueError(f"unknown format {name[:20]!r} (expected {', '.join(FORMATS)})")
    return FORMATS[name.lower()]


def format_for_file(name: str) -> Format:
    """Return the format of a file by its extension; raise ValueError if it is unknown."""
    suffix = PurePath(name).suffix.lower()
    for format_ in FORMATS.values():
        if suffix in format_.suffixes:
            return format_
    known = ", ".join(suffix for format_ in FORMATS.values() for suffix in format_.suffixes)
    raise ValueError(f"{name}: unknown extension {suffix!r} (expected {known}, or name the format)")
