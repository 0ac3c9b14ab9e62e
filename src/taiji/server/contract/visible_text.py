"""Texts that people see of each other: names, titles and labels without invisible characters."""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby, islice
from typing import Annotated

from pydantic import AfterValidator, StringConstraints

INVISIBLE_RANGES = (
    (0x0000, 0x001F), (0x007F, 0x00A0), (0x00AD, 0x00AD), (0x034F, 0x034F), (0x0600, 0x0605),
    (0x061C, 0x061C), (0x06DD, 0x06DD), (0x070F, 0x070F), (0x0890, 0x0891), (0x08E2, 0x08E2),
    (0x115F, 0x1160), (0x1680, 0x1680), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x2000, 0x200F),
    (0x2028, 0x202F), (0x205F, 0x206F), (0x2800, 0x2800), (0x3000, 0x3000), (0x3164, 0x3164),
    (0xD800, 0xF8FF), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB),
    (0xFFFE, 0xFFFF), (0x110BD, 0x110BD), (0x110CD, 0x110CD), (0x13430, 0x1343F), (0x1BCA0, 0x1BCA3),
    (0x1D159, 0x1D159), (0x1D173, 0x1D17A), (0xE0000, 0x10FFFF),
)  # fmt: skip
"""Controls, formats, tags, what reorders text, fillers, private use, and every space but U+0020."""

MAX_STACKED_MARKS = 3
"""Combining marks on one letter; more would cover the lines above and below."""


def _escape(code: int) -> str:
    """Return a character as regular expressions of Python, Rust and JavaScript read it."""
    return f"\\u{code:04x}" if code <= 0xFFFF else chr(code)


def _as_class() -> str:
    # The surrogates are left out: no valid text contains one, and Rust refuses the escape.
    ranges = [(0xE000, last) if first == 0xD800 else (first, last) for first, last in INVISIBLE_RANGES]
    return "".join(f"{_escape(first)}-{_escape(last)}" for first, last in ranges)


INVISIBLE = _as_class()
"""The ranges as part of a character class."""
VISIBLE = f"^[^ {INVISIBLE}](?:[^{INVISIBLE}]*[^ {INVISIBLE}])?$"
"""The pattern of a visible text; it neither begins nor ends with a space."""
VISIBLE_OR_EMPTY = f"^[^{INVISIBLE}]*$"


def refuse_stacked_marks(text: str) -> str:
    """Return the text; raise `ValueError` if a letter has too many combining marks."""
    for is_stack, run in groupby(unicodedata.normalize("NFD", text), _is_mark):
        if is_stack and len(list(run)) > MAX_STACKED_MARKS:
            raise ValueError(f"too many combining marks (expected at most {MAX_STACKED_MARKS} per letter)")
    return text


def _is_mark(character: str) -> bool:
    """Return whether a character is drawn over, under or around the one before it."""
    return unicodedata.category(character) in ("Mn", "Me")


def make_visible(text: str, limit: int) -> str:
    """Return a text from a file as it may be shown: no invisible characters, few marks, a bounded length."""
    kept = _INVISIBLE_CHARACTER.sub(" ", text)
    runs = groupby(unicodedata.normalize("NFD", kept), _is_mark)
    bounded = "".join("".join(islice(run, MAX_STACKED_MARKS if is_stack else None)) for is_stack, run in runs)
    return " ".join(unicodedata.normalize("NFC", bounded).split())[:limit].rstrip()


_INVISIBLE_CHARACTER = re.compile(f"[{INVISIBLE}]")
_MARKS = AfterValidator(refuse_stacked_marks)

Name = Annotated[str, StringConstraints(min_length=1, max_length=24, pattern=VISIBLE), _MARKS]
Title = Annotated[str, StringConstraints(min_length=1, max_length=60, pattern=VISIBLE), _MARKS]
Label = Title
Remark = Annotated[str, StringConstraints(max_length=200, pattern=VISIBLE_OR_EMPTY), _MARKS]
"""A sentence in a log; it may be empty."""
