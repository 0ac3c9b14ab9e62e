"""Clocks, evaluations and excerpts as text, at their limits."""

from __future__ import annotations

import pytest

from taiji.notation import Evaluation, NotationError
from taiji.notation.comments import (
    CommentData,
    comment_tokens,
    format_clock,
    format_evaluation,
    parse_clock,
    parse_comment,
    parse_evaluation,
)
from taiji.rules.errors import excerpt


@pytest.mark.parametrize(
    ("text", "seconds", "canonical"),
    [
        ("0:00:00", 0.0, "0:00:00"),
        ("59:59", 3599.0, "0:59:59"),
        ("1:00:01.5", 3601.5, "1:00:01.5"),
        (" 0:01:00.25 ", 60.25, "0:01:00.25"),
        ("99999:59:59.999", 359_999_999.999, "99999:59:59.999"),
        ("0:00:00.001", 0.001, "0:00:00.001"),
    ],
)
def test_clocks(text: str, seconds: float, canonical: str) -> None:
    assert parse_clock(text) == seconds
    assert format_clock(seconds) == canonical


def test_a_negative_clock_is_written_as_zero() -> None:
    assert format_clock(-3.5) == "0:00:00"


@pytest.mark.parametrize("text", ["0:60:00", "0:00:60", "100000:00:00", "5", "0:00:00.1234", ""])
def test_invalid_clocks(text: str) -> None:
    with pytest.raises(NotationError, match="invalid clock"):
        parse_clock(text)


@pytest.mark.parametrize(
    ("evaluation", "text"),
    [
        (Evaluation(0.0), "0%"),
        (Evaluation(1.0), "100%"),
        (Evaluation(0.6321), "63.21%"),
        (Evaluation(margin=0.0), "+0"),
        (Evaluation(margin=-2.5), "-2.5"),
        (Evaluation(playouts=0), "n0"),
        (Evaluation(0.5, 1.25, 7), "50% +1.25 n7"),
    ],
)
def test_evaluations(evaluation: Evaluation, text: str) -> None:
    assert format_evaluation(evaluation) == text
    assert parse_evaluation(text) == evaluation


@pytest.mark.parametrize("text", ["101%", "100.01%", "x", "n", "1.234"])
def test_invalid_evaluations(text: str) -> None:
    with pytest.raises(NotationError, match="invalid evaluation"):
        parse_evaluation(text)


def test_later_comments_override_clock_and_evaluation_and_add_text() -> None:
    first = CommentData("one", 5.0, Evaluation(0.5))
    assert first + CommentData("two") == CommentData("one two", 5.0, Evaluation(0.5))
    assert first + CommentData("", 0.0, Evaluation(0.1)) == CommentData("one", 0.0, Evaluation(0.1))


def test_an_error_in_a_comment_has_its_column() -> None:
    with pytest.raises(NotationError) as caught:
        parse_comment("ab [%clk soon]")
    assert caught.value.column == 4
    assert comment_tokens(CommentData("a [b] {c} [d")) == ["{a", "\\[b]", "\\{c\\}", "\\[d}"]
    assert comment_tokens(CommentData()) == []


def test_excerpts_are_cut_after_the_limit() -> None:
    assert excerpt("x" * 24) == "x" * 24
    assert excerpt("x" * 25) == "x" * 23 + "…"
    assert excerpt("abc", 3) == "abc"
    assert excerpt("abcd", 3) == "ab…"
    assert excerpt("a\nb") == "a�b"


def test_an_error_can_be_located_in_a_larger_text() -> None:
    error = NotationError("bad", column=3, ply=4)
    assert str(error) == "column 3, ply 4: bad"
    moved = error.at(line=2, column=10)
    assert (moved.line, moved.column, moved.ply) == (2, 12, 4)
    assert (error.at(ply=7).column, error.at(ply=7).ply) == (3, 7)
    assert NotationError("bad").at(column=5).column == 5
    assert str(NotationError("bad")) == "bad"
    assert NotationError("bad").args == ("bad",)
