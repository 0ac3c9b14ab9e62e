"""Files of records, and standard input under the name `-`."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from typing import TextIO

STDIN = "-"


def open_source(file: str) -> TextIO:
    """Open records to be read."""
    from taiji.notation import open_records

    if file != STDIN:
        return open_records(file)
    return io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8-sig", errors="replace")


def source_name(file: str) -> str:
    """Return what to call a source in a message."""
    return "stdin" if file == STDIN else file


GAME_FILES = click.option(
    "--game",
    "declared",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="A .toml file that declares a game of your own; may be repeated.",
)
"""The option that makes games of the user's own known."""
