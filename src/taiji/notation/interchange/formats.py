"""The formats by name and by the ending of a file: how each is read and written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, TextIO

from taiji.notation.interchange.abstractplay import (
    format_abstractplay,
    omitted_from_abstractplay,
    read_abstractplay,
)
from taiji.notation.interchange.ludii import format_ludii, omitted_from_ludii, read_ludii
from taiji.notation.interchange.native_formats import (
    format_json_line,
    format_tji,
    read_json_lines,
    read_tji,
)
from taiji.notation.interchange.replayed import describe_omissions
from taiji.notation.interchange.sgf import format_sgf

if TYPE_CHECKING:
    from taiji.notation.interchange.replayed import ImportedGame, ImportStream, Replayer


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its name, what it is, the endings of its files, and what reads and writes it."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    read: Callable[[TextIO, Replayer], ImportStream] | None = None
    write: Callable[[ImportedGame], str] | None = None
    omitted: Callable[[ImportedGame], tuple[str, ...]] = lambda _: ()
    """Says what of a game it leaves out."""
    separator: str = "\n"
    """What parts two games in one file."""
    brackets: tuple[str, str] = ("", "")
    """What stands around the games of a file where there are several."""
    is_tabular: bool = False
    """Whether it is a table of rows rather than of games."""


FORMATS = {
    form.name: form
    for form in (
        Format("tji", "records of this program", (".tji",), read_tji, format_tji),
        Format("jsonl", "the same as JSON, one a line", (".jsonl",), read_json_lines, format_json_line),
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
            "a table of plies or games",
            (".csv",),
            omitted=lambda found: describe_omissions(found.record),
            is_tabular=True,
        ),
        Format(
            "parquet",
            "the same for data frames",
            (".parquet",),
            omitted=lambda found: describe_omissions(found.record),
            is_tabular=True,
        ),
    )
}
"""Every format by its name."""


def get_format(name: str) -> Format:
    """Return a format by its name."""
    if name.lower() not in FORMATS:
        raise ValueError(f"unknown format {name[:20]!r}: there are {', '.join(FORMATS)}")
    return FORMATS[name.lower()]


def format_for_file(name: str) -> Format:
    """Return the format of a file by its ending."""
    suffix = PurePath(name).suffix.lower()
    for form in FORMATS.values():
        if suffix in form.suffixes:
            return form
    known = ", ".join(suffix for form in FORMATS.values() for suffix in form.suffixes)
    raise ValueError(
        f"{name}: {suffix or 'no ending'} is no ending known here ({known}); name the format instead"
    )
