"""The text of record files: UTF-8; other bytes, as older programs write names, are read as Windows-1252."""

from __future__ import annotations

import codecs
import io
from typing import BinaryIO

ERRORS = "taiji.windows-1252"
"""How bytes that are not UTF-8 are decoded: each by itself, so that they affect no other game."""


def _decode_as_windows(error: UnicodeError) -> tuple[str, int]:
    """Return the characters of the invalid bytes and where to go on; five bytes have no character."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("windows-1252", "replace"), error.end


codecs.register_error(ERRORS, _decode_as_windows)


def read_text(data: BinaryIO) -> io.TextIOWrapper:
    """Return a stream of the text of a file; closing it closes the file."""
    return io.TextIOWrapper(data, encoding="utf-8-sig", errors=ERRORS)
