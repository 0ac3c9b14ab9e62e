"""Lines on standard input and output, and a clean exit on signals."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

from taiji.arena.system import hangup_signals

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

MAX_LINE_CHARS = 2000


def write_line(text: str) -> None:
    """Write a line and flush; replace characters that the terminal cannot show."""
    encoding = sys.stdout.encoding or "ascii"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding) + "\n")
    sys.stdout.flush()


def read_line(prompt: str) -> str | None:
    """Read a line after a prompt; return None at the end of the input."""
    sys.stdout.write(prompt)
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line:
        sys.stdout.write("\n")
        return None
    if not sys.stdin.isatty():
        # Echo piped answers, so that the output can be understood.
        sys.stdout.write(line if line.endswith("\n") else line + "\n")
    return line[:MAX_LINE_CHARS].rstrip("\n")


class Hangup(BaseException):
    """SIGHUP or SIGTERM: the terminal was closed, or the process asked to end."""


@contextmanager
def exit_on_signals() -> Iterator[None]:
    """Turn SIGTERM and SIGHUP into exceptions, so that the game is saved before the process exits."""

    def leave(number: int, frame: FrameType | None) -> NoReturn:
        raise Hangup(number)

    before = {number: signal.signal(number, leave) for number in hangup_signals()}
    try:
        yield
    except Hangup as hangup:
        _silence()
        sys.exit(128 + int(hangup.args[0]))
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _silence() -> None:
    """Redirect stdout to /dev/null: the terminal may be gone when the interpreter flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
