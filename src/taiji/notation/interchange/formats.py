"""The formats by name and by the ending of a file: how each is read and written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, TextIO

from taiji.notation.interchange.abstractplay import (
    format_abstractplay,
    lost_in_abstractplay,
    read_abstractplay,
)
from taiji.notation.interchange.courses import left_out
from taiji.notation.interchange.ludii import format_ludii, lost_in_ludii, read_ludii
from taiji.notation.interchange.own_formats import (
    format_json_line,
    format_own,
    read_json_lines,
    read_records_checked,
)
from taiji.notation.interchange.sgf import format_sgf

if TYPE_CHECKING:
    from taiji.notation.interchange.courses import Found, Read, Referee


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its name, what it is, the endings of its files, and what reads and writes it."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    read: Callable[[TextIO, Referee], Read] | None = None
    write: Callable[[Found], str] | None = None
    lost: Callable[[Found], tuple[str, ...]] = lambda _: ()
    """Says what of a game it leaves out."""
    between: str = "\n"
    """What parts two games in one file."""
    around: tuple[str, str] = ("", "")
    """What stands around the games of a file where there are several."""
    table: bool = False
    """Whether it is a table of rows rather than of games."""


FORMATS = {
    form.name: form
    for form in (
        Format("tji", "records of this program", (".tji",), read_records_checked, format_own),
        Format("jsonl", "the same as JSON, one a line", (".jsonl",), read_json_lines, format_json_line),
        Format(
            "abstractplay",
            "AbstractPlay game records",
            (".json",),
            read_abstractplay,
            format_abstractplay,
            lost_in_abstractplay,
            between=",\n",
            around=("[\n", "\n]"),
        ),
        Format(
            "ludii", "Ludii trials of its Taiji", (".trl", ".txt"), read_ludii, format_ludii, lost_in_ludii
        ),
        Format("sgf", "SGF FF[4], for editors of Go", (".sgf",), None, format_sgf),
        Format(
            "csv",
            "a table of plies or games",
            (".csv",),
            lost=lambda found: left_out(found.record),
            table=True,
        ),
        Format(
            "parquet",
            "the same for data frames",
            (".parquet",),
            lost=lambda found: left_out(found.record),
            table=True,
        ),
    )
}
"""Every format by its name."""


def format_named(name: str) -> Format:
    """Return a format by its name."""
    if name.lower() not in FORMATS:
        raise ValueError(f"unknown format {name[:20]!r}: there are {', '.join(FORMATS)}")
    return FORMATS[name.lower()]


def format_of_file(name: str) -> Format:
    """Return the format of a file by its ending."""
    suffix = PurePath(name).suffix.lower()
    for form in FORMATS.values():
        if suffix in form.suffixes:
            return form
    known = ", ".join(suffix for form in FORMATS.values() for suffix in form.suffixes)
    raise ValueError(
        f"{name}: {suffix or 'no ending'} is no ending known here ({known}); name the format instead"
    )
