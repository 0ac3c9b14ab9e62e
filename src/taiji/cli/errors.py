"""Turns what bad input raises into one line on stderr and exit status 2."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterator

EXIT_BAD_INPUT = 2


class BadInput(click.ClickException):
    """Something the user gave is wrong; shown as one line, without usage text."""

    exit_code = EXIT_BAD_INPUT

    def format_message(self) -> str:
        """Joins the message's lines: an error is one line, whatever raised it."""
        return " ".join(self.message.split())


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Turns the errors of our parsers and of files into `BadInput`.

    Every parser's error (`GameError`, `IllegalMove`, the notation errors) is a `ValueError` that says what and where.
    """
    try:
        yield
    except click.ClickException as error:
        if "\n" in error.message:
            raise BadInput(error.message) from error
        raise
    except BrokenPipeError:
        raise
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        raise BadInput(f"{name}{error.strerror or error}") from error
    except ValueError as error:
        raise BadInput(str(error) or type(error).__name__) from error
