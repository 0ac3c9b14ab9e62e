"""Report bad input as one line on stderr with exit status 2."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterator

EXIT_BAD_INPUT = 2

EXTRAS = {
    module: extra
    for extra, modules in {
        "terminal": ("textual",),
        "render": ("PIL", "reportlab", "resvg_py", "font_source_serif_pro", "fonts"),
        "ai": ("numpy", "onnx", "onnxruntime"),
        "server": (
            "alembic", "argon2", "confusable_homoglyphs", "fastapi", "httpx", "prometheus_client",
            "psycopg", "pydantic", "segno", "sqlalchemy", "starlette", "uvicorn", "websockets", "zxcvbn",
        ),
        "bus": ("nats",),
        "push": ("http_ece", "py_vapid"),
        "tournament": ("py4swiss",),
        "train": ("jax", "optax", "safetensors"),
        "rl": ("gymnasium", "pettingzoo", "pyspiel"),
        "cluster": ("ray",),
        "study": ("matplotlib", "pandas", "pyarrow"),
    }.items()
    for module in modules
}  # fmt: skip
"""The extra that installs each optional module."""

SHOW_TRACEBACKS = "TAIJI_TRACEBACK"
"""If this environment variable is set, errors keep their traceback."""


class BadInput(click.ClickException):
    """Invalid input: one line on stderr, exit status 2."""

    exit_code = EXIT_BAD_INPUT


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Turn errors of parsers and files into `BadInput`.

    A parser's error (`GameError`, `IllegalMove`, `NotationError`) is a `ValueError` that says what and where.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except ImportError as error:
        if SHOW_TRACEBACKS in os.environ:
            raise
        if error.name == "taiji._core":  # no core for this processor
            raise BadInput(str(error)) from error
        extra = EXTRAS.get((error.name or "").partition(".")[0])
        if extra is None or not isinstance(error, ModuleNotFoundError):
            raise
        raise BadInput(f"{error.name} is not installed (pip install 'taiji[{extra}]')") from error
    except (OSError, ValueError) as error:
        if SHOW_TRACEBACKS in os.environ:
            raise
        raise BadInput(describe(error)) from error


def describe(error: OSError | ValueError) -> str:
    """Return the message of an error."""
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8 text: byte {error.start} is {error.object[error.start]:#04x}"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error) or type(error).__name__
