"""Format records as text: tag pairs, numbered moves on wrapped lines, the result."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from taiji.notation.comments import CommentData, comment_tokens
from taiji.notation.positions import format_position
from taiji.notation.records import KNOWN_TAGS, Record, RecordedMove
from taiji.notation.replays import format_score
from taiji.rules.errors import check_type

if TYPE_CHECKING:
    from collections.abc import Iterator

LINE_WIDTH = 80
GLYPHS = ("!", "?", "!!", "??", "!?", "?!")
"""Annotation glyphs 1 to 6, written directly after a move."""


def write_record(stream: TextIO, record: Record) -> None:
    """Write a record and a blank line to a stream."""
    stream.write(format_record(record) + "\n")


def format_record(record: Record, width: int = LINE_WIDTH) -> str:
    """Format a record, with a line break at the end."""
    check_type("record", record, Record, "a Record")
    check_type("width", width, int, "an integer")
    tags = "".join(f'[{name} "{_quote(value)}"]\n' for name, value in _ordered_tags(record))
    words = [
        *_comment_tokens(record.comment),
        *_variation_tokens(record.steps, record.first.ply),
        record.result.value,
    ]
    return f"{tags}\n{_wrap(words, width)}\n"


def _ordered_tags(record: Record) -> Iterator[tuple[str, str]]:
    fields = {"Result": record.result.value, "Game": str(record.game)}
    if record.score is not None:
        fields["Score"] = format_score(record.score)
    if record.termination is not None:
        fields["Termination"] = record.termination.value
    if record.start is not None:
        fields["Position"] = format_position(record.start)
    known = {**dict(record.tags), **fields}
    yield from ((name, known[name]) for name in KNOWN_TAGS if name in known)
    yield from ((name, value) for name, value in record.tags if name not in KNOWN_TAGS)


def _quote(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _comment_tokens(comment: str, step: RecordedMove | None = None) -> list[str]:
    return comment_tokens(CommentData(comment, step.clock, step.evaluation) if step else CommentData(comment))


def _variation_tokens(steps: tuple[RecordedMove, ...], ply: int) -> Iterator[str]:
    """Yield the tokens of a variation; moves at an even ply and after an interruption get their number."""
    numbered = False
    for step in steps:
        number = f"{ply // 2 + 1}{'...' if ply % 2 else '.'} " if ply % 2 == 0 or not numbered else ""
        glyph = GLYPHS[step.nags[0] - 1] if step.nags and 1 <= step.nags[0] <= len(GLYPHS) else ""
        yield number + step.move + glyph
        yield from (f"${nag}" for nag in (step.nags[1:] if glyph else step.nags))
        comment = _comment_tokens(step.comment, step)
        yield from comment
        for line in step.variations:
            inside = [*_comment_tokens(line.comment), *_variation_tokens(line.steps, ply)]
            inside[0] = "(" + inside[0]
            inside[-1] += ")"
            yield from inside
        numbered = not comment and not step.variations
        ply += 1


def _wrap(words: list[str], width: int) -> str:
    lines: list[str] = []
    current: list[str] = []
    length = 0
    for word in words:
        if current and length + len(word) >= width:
            lines.append(" ".join(current))
            current, length = [], 0
        current.append(word)
        length += len(word) + 1
    return "\n".join([*lines, " ".join(current)])
