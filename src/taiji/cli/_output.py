"""Output that fits the terminal: colours only if they are wanted, ASCII if it does not understand UTF-8."""

from __future__ import annotations

import codecs
import json
import os
import sys
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

PLAIN = "taiji-plain"
"""The error handler that writes a similar ASCII text for what an encoding does not have."""
PLAIN_ASCII = "taiji-ascii"
"""ASCII under another name: click would write UTF-8 to a stream whose encoding is called ASCII."""
SIMILAR = {
    "×": "x", "–": "-", "—": "-", "−": "-", "…": "...", "±": "+/-", "²": "^2", "·": ".", "→": "->", "≤": "<=",
    "≥": ">=", "○": "o", "●": "*", "◎": "O", "◉": "@", "’": "'", "‘": "'", "“": '"', "”": '"', "█": "#",
}  # fmt: skip


def prepare_streams() -> None:
    """Let stdout and stderr write ASCII for characters that their encoding does not have."""
    codecs.register_error(PLAIN, _similar)
    codecs.register(_find_codec)
    for stream in (sys.stdout, sys.stderr):
        if not isinstance(stream, TextIOWrapper):
            continue
        if _is_plain_terminal(stream):
            stream.reconfigure(encoding=PLAIN_ASCII, errors=PLAIN)
        elif not supports_unicode(stream):
            is_ascii = codecs.lookup(stream.encoding).name == "ascii"
            stream.reconfigure(encoding=PLAIN_ASCII if is_ascii else None, errors=PLAIN)


def _is_plain_terminal(stream: TextIOWrapper) -> bool:
    """Return whether a stream is a terminal of somebody who asks for ASCII with `LC_ALL=C`.

    Python would write UTF-8 there. Pipes and files keep it, so that no name in a record is lost.
    """
    chosen = {"PYTHONUTF8", "PYTHONIOENCODING"} & os.environ.keys()
    return os.environ.get("LC_ALL") in ("C", "POSIX") and not chosen and stream.isatty()


def supports_unicode(stream: Any = None) -> bool:
    """Return whether a stream, by default stdout, has every character."""
    encoding = getattr(stream or sys.stdout, "encoding", None) or "ascii"
    return bool(encoding.lower().replace("-", "").startswith("utf"))


def use_colour(stream: Any = None) -> bool:
    """Return whether a stream, by default stdout, is a terminal with colours and NO_COLOR is not set."""
    dumb = os.environ.get("TERM", "") in ("dumb", "")
    return bool((stream or sys.stdout).isatty() and not dumb and not os.environ.get("NO_COLOR"))


def to_json(value: Any) -> str:
    """Return a value as one line of JSON that stdout can write."""
    return json.dumps(value, ensure_ascii=not supports_unicode())


def say_written(paths: Iterable[Path | str]) -> None:
    """Say on stderr which files were written."""
    from pathlib import Path

    import click

    for path in paths:
        click.echo(f"{path}: {Path(path).stat().st_size:,} bytes written", err=True)


def _similar(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    marks = error.object[error.start : error.end]
    return "".join(SIMILAR.get(mark, "?") for mark in marks), error.end


def _find_codec(name: str) -> codecs.CodecInfo | None:
    if name.replace("_", "-") != PLAIN_ASCII:
        return None
    ascii_codec = codecs.lookup("ascii")
    return codecs.CodecInfo(
        ascii_codec.encode,
        ascii_codec.decode,
        ascii_codec.streamreader,
        ascii_codec.streamwriter,
        ascii_codec.incrementalencoder,
        ascii_codec.incrementaldecoder,
        name=PLAIN_ASCII,
    )
