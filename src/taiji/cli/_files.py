"""Record files, with `-` for standard input."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TextIO

STDIN = "-"


def open_source(file: str) -> TextIO:
    """Open a file of records, or standard input, for reading."""
    from taiji.notation import open_records

    if file != STDIN:
        return open_records(file)
    return io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8-sig", errors="replace")


def source_name(file: str) -> str:
    """Return the name of a source for messages."""
    return "stdin" if file == STDIN else file
