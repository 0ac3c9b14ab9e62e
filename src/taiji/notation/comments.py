r"""Comments of a record: free text with embedded `[%clk h:mm:ss]` and `[%eval ...]`.

A backslash escapes `\`, `{`, `}` and `[`, so a comment can hold any text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from taiji.notation.records import Evaluation, collapse_whitespace
from taiji.rules.errors import NotationError, excerpt

_PART = re.compile(
    r"\\(?P<plain>.)|\[%(?P<name>clk|eval)\s+(?P<value>[^\[\]{}\\]*)\]|(?P<text>[^\\\[]+|.)", re.DOTALL
)
_NEEDS_ESCAPE = re.compile(r"[\\{}]|\[(?=[A-Za-z]|%(?:clk|eval)\s)")
_CLOCK = re.compile(r"(?:([0-9]{1,5}):)?([0-9]{1,2}):([0-9]{1,2})(?:\.([0-9]{1,3}))?")
_WIN_PROB = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,2})?)%")
_MARGIN = re.compile(r"[+-]?[0-9]{1,10}(?:\.[0-9]{1,2})?")
_PLAYOUTS = re.compile(r"n([0-9]{1,16})")


@dataclass(frozen=True, slots=True)
class CommentData:
    """The content of one comment, or of several in a row."""

    text: str = ""
    clock: float | None = None
    evaluation: Evaluation | None = None

    def __add__(self, later: CommentData) -> CommentData:
        return CommentData(
            collapse_whitespace(f"{self.text} {later.text}"),
            self.clock if later.clock is None else later.clock,
            later.evaluation or self.evaluation,
        )


def parse_comment(body: str) -> CommentData:
    """Parse the text between the braces; columns of errors count from its first character."""
    clock: float | None = None
    evaluation: Evaluation | None = None
    text = []
    for part in _PART.finditer(body):
        try:
            if part["name"] == "clk":
                clock = parse_clock(part["value"])
            elif part["name"] == "eval":
                evaluation = parse_evaluation(part["value"])
            else:
                text.append(part["plain"] or part["text"] or "")
        except NotationError as error:
            raise error.at(column=part.start() + 1) from error
    return CommentData(collapse_whitespace("".join(text)), clock, evaluation)


def comment_tokens(comment: CommentData) -> list[str]:
    """Return a comment with its braces as tokens between which a line may break; empty if nothing is said."""
    tokens = []
    if comment.evaluation is not None:
        tokens.append(f"[%eval {format_evaluation(comment.evaluation)}]")
    if comment.clock is not None:
        tokens.append(f"[%clk {format_clock(comment.clock)}]")
    tokens += _NEEDS_ESCAPE.sub(lambda mark: "\\" + mark[0], comment.text).split()
    if tokens:
        tokens[0] = "{" + tokens[0]
        tokens[-1] += "}"
    return tokens


def parse_clock(text: str) -> float:
    """Parse `h:mm:ss` or `m:ss`, either with a fraction, into seconds."""
    match = _CLOCK.fullmatch(text.strip())
    if match is None or int(match[2]) > 59 or int(match[3]) > 59:
        raise NotationError(f"invalid clock {excerpt(text)!r} (expected h:mm:ss)")
    seconds = (int(match[1] or 0) * 60 + int(match[2])) * 60 + int(match[3])
    return (seconds * 1000 + int((match[4] or "0").ljust(3, "0"))) / 1000


def format_clock(seconds: float) -> str:
    """Format seconds as `h:mm:ss`, with a fraction if it is not zero; negative time becomes zero."""
    total, fraction = divmod(max(0, round(seconds * 1000)), 1000)
    minutes, rest = divmod(total, 60)
    tail = f".{fraction:03}".rstrip("0") if fraction else ""
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}{tail}"


def parse_evaluation(text: str) -> Evaluation:
    """Parse `63.2% +2.5 n12000`: win probability, margin and playouts, each optional."""
    win_prob: float | None = None
    margin: float | None = None
    playouts: int | None = None
    words = text.split()
    for word in words:
        if (match := _WIN_PROB.fullmatch(word)) and float(match[1]) <= 100:
            win_prob = round(float(match[1]) / 100, 4)
        elif _MARGIN.fullmatch(word):
            margin = float(word)
        elif match := _PLAYOUTS.fullmatch(word):
            playouts = int(match[1])
        else:
            raise NotationError(f"invalid evaluation {excerpt(word)!r} (expected 63%, +2.5 or n12000)")
    if not words:
        raise NotationError("empty evaluation (expected 63%, +2.5 or n12000)")
    return Evaluation(win_prob, margin, playouts)


def format_evaluation(evaluation: Evaluation) -> str:
    """Format an evaluation."""
    parts = []
    if evaluation.win_prob is not None:
        parts.append(f"{_format_number(100 * min(1.0, max(0.0, evaluation.win_prob)))}%")
    if evaluation.margin is not None:
        sign = "-" if evaluation.margin < 0 else "+"
        parts.append(f"{sign}{_format_number(abs(evaluation.margin))}")
    if evaluation.playouts is not None:
        parts.append(f"n{evaluation.playouts}")
    return " ".join(parts)


def _format_number(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
