"""Reads and writes lines on standard input and output, and leaves cleanly whatever happens to them."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

MAX_LINE_CHARS = 2000


def write_line(text: str) -> None:
    """Write a line at once; what the terminal cannot show is replaced."""
    encoding = sys.stdout.encoding or "ascii"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding) + "\n")
    sys.stdout.flush()


def read_line(prompt: str) -> str | None:
    """Ask for a line; None at the end of the input."""
    sys.stdout.write(prompt)
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line:
        sys.stdout.write("\n")
        return None
    if not sys.stdin.isatty():
        # Piped answers are shown too, or what is written makes no sense to whoever reads it.
        sys.stdout.write(line if line.endswith("\n") else line + "\n")
    return line[:MAX_LINE_CHARS].rstrip("\n")


class Hangup(BaseException):
    """The terminal has gone, or the process was asked to end."""


@contextmanager
def exit_on_signals() -> Iterator[None]:
    """Turn the signals that end a process into exceptions, so that what is being played is saved first."""

    def leave(number: int, frame: FrameType | None) -> NoReturn:
        raise Hangup(number)

    before = {number: signal.signal(number, leave) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    except Hangup as gone:
        _silence()
        sys.exit(128 + int(gone.args[0]))
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _silence() -> None:
    """Point standard output nowhere: the terminal may be gone when the interpreter flushes it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
