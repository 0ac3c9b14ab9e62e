"""Record files, with `-` for standard input."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TextIO

STDIN = "-"


def open_source(file: str) -> TextIO:
    """Open a file of records, or standard input, for reading."""
    from taiji.notation import open_records
    from taiji.notation.encoding import read_text

    if file != STDIN:
        return open_records(file)
    return read_text(sys.stdin.buffer)


def source_name(file: str) -> str:
    """Return the name of a source for messages."""
    return "stdin" if file == STDIN else file
