"""Records that cannot be read: the error says what is wrong, in which line and column."""

from __future__ import annotations

import io

import pytest

from taiji.notation import Evaluation, NotationError, Record, RecordedMove, parse_record, read_records
from taiji.notation.record_splitter import MAX_GAME_CHARS
from taiji.notation.records import MAX_TAG_CHARS, MAX_TAGS, MAX_VARIATION_DEPTH
from taiji.rules import parse_game

HEAD = '[Game "taiji:size=3"]\n\n'


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        ("1. a1/a2 *", "missing tag Game", 1, 1),
        ('[Game "tajji"]\n*', "unknown game 'tajji' (did you mean taiji? expected one of", 1, 8),
        ('[Game "taiji:size=40"]\n*', "expected an integer from 2 to 11", 1, 8),
        ("[Game taiji]\n*", 'invalid tag (expected [Name "value"]', 1, 1),
        ('[Game "taiji"\n*', 'invalid tag (expected [Name "value"]', 1, 1),
        ('[Game "taiji"]\n[Game "taiji"]\n*', "duplicate tag Game", 2, 8),
        ('[Game "taiji"]\n[9lives "x"]\n*', "invalid tag name '9lives'", 2, 10),
        ('[Game "taiji"]\n[Result "2-0"]\n*', "unknown result '2-0' (expected 1-0, 0-1,", 2, 10),
        ('[Game "taiji"]\n[Result "1-0"]\n\n0-1', "result 0-1 contradicts the tag Result '1-0'", 4, 1),
        ('[Game "taiji"]\n[Score "x"]\n*', "invalid score 'x'", 2, 9),
        ('[Game "taiji"]\n[Termination "bored"]\n*', "(expected resigned, time, forfeit,", 2, 15),
        ('[Game "taiji"]\n[Position "tji1 taiji"]\n*', "fields (expected 5", 2, 17),
        ('[Game "taiji"]\n[Position "tji1 tailits - dark -"]\n*',
        "position of tailits contradicts the tag Game 'taiji'", 2, 12),
        (HEAD + "1. a1/a9 *", "a9 is not on the board", 3, 7),
        (HEAD + "1. a1/a2\n\n  a2/a3 *", "a2/a3: a2 is already covered", 5, 3),
        (HEAD + "1. a1/a2 (1. b1/b2 1... b2/b3) *", "b2 is already covered", 3, 25),
        (HEAD + "1. hello *", "invalid cell 'hello'", 3, 4),
        (HEAD + "1. a1/a2 3. b1/b2 *", "move number 3 (expected 1)", 3, 10),
        (HEAD + "1. a1/a2 {never closed", "unclosed comment", 3, 10),
        (HEAD + "1. a1/a2 } *", "'}' without an open comment", 3, 10),
        (HEAD + "1. a1/a2 (1. b1/b2 *", "unexpected result in a variation", 3, 20),
        (HEAD + "1. a1/a2 (1. b1/b2", "unclosed variation", 3, 10),
        (HEAD + "1. a1/a2 ) *", "')' without an open variation", 3, 10),
        (HEAD + "1. a1/a2 () *", "empty variation", 3, 11),
        (HEAD + "(1. a1/a2) *", "'(' without a previous move", 3, 1),
        (HEAD + "! *", "'!' without a previous move", 3, 1),
        (HEAD + "1. a1/a2 $999 *", "(expected $0 to $255)", 3, 11),
        (HEAD + "1. a1/a2 $ *", "unexpected '$ *'", 3, 10),
        (HEAD + "1. a1/a2 {[%clk soon]} *", "invalid clock 'soon' (expected h:mm:ss)", 3, 11),
        (HEAD + "1. a1/a2 {[%clk 0:99:00]} *", "clock '0:99:00'", 3, 11),
        (HEAD + "1. a1/a2 {[%eval good]} *", "evaluation 'good'", 3, 11),
        (HEAD + "1. a1/a2 {x\n y [%eval 101%]} *", "evaluation '101%'", 4, 4),
        (HEAD + "1. a1/a2 {[%eval ]} *", "empty evaluation", 3, 11),
        (HEAD + "{[%clk 0:00:01]} 1. a1/a2 *", "clock or evaluation before the first move", 3, 2),
        (HEAD + "* 1. a1/a2", "unexpected text after the result", 3, 3),
        (HEAD + "1. a1/a2 12 *", "invalid move '12'", 3, 10),
    ],
)  # fmt: skip
def test_refused(text: str, message: str, line: int, column: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_record(text)
    assert message in str(caught.value)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize("text", ["", "\n \n", HEAD + "*\n" + HEAD + "*"])
def test_one_record_is_one_record(text: str) -> None:
    with pytest.raises(NotationError, match=r"[02] records \(expected one\)"):
        parse_record(text)


def nested(depth: int) -> str:
    return HEAD + "1. a1/a2 " + "(1. b1/b2 " * depth + ")" * depth + " *"


def test_variations_lie_so_deep_and_no_deeper() -> None:
    assert parse_record(nested(MAX_VARIATION_DEPTH)).moves == ("a1/a2",)
    with pytest.raises(NotationError, match=rf"nested too deep \(maximum {MAX_VARIATION_DEPTH}\)"):
        parse_record(nested(MAX_VARIATION_DEPTH + 1))
    with pytest.raises(NotationError, match="deep"):
        parse_record(nested(50_000))


def test_moves_have_a_limit() -> None:
    with pytest.raises(NotationError, match="too many moves"):
        parse_record(HEAD + "1. a1/a2 " + "(1. b1/b2) " * 20_000 + "*")


def test_tags_have_limits() -> None:
    many = "".join(f'[Tag{number} "x"]\n' for number in range(MAX_TAGS + 1))
    with pytest.raises(NotationError, match=rf"{MAX_TAGS + 1} tags \(maximum {MAX_TAGS}\)"):
        parse_record(many + HEAD + "*")
    with pytest.raises(NotationError, match=rf"\(maximum {MAX_TAG_CHARS}\)"):
        parse_record(f'[Light "{"x" * (MAX_TAG_CHARS + 1)}"]\n{HEAD}*')
    assert parse_record(f'[Light "{"x" * MAX_TAG_CHARS}"]\n{HEAD}*').tag("Light") == "x" * MAX_TAG_CHARS


def test_a_game_has_a_limit_and_the_next_one_is_read() -> None:
    long_line = HEAD + "1. a1/a2 {" + "x" * MAX_GAME_CHARS + "} *\n\n"
    many_lines = HEAD + "1. a1/a2 {" + "x\n" * MAX_GAME_CHARS + "} *\n\n"
    errors: list[NotationError] = []
    stream = io.StringIO(long_line + many_lines + HEAD + "1. b1/b2 *")
    assert [record.moves for record in read_records(stream, errors.append)] == [("b1/b2",)]
    assert [str(error) for error in errors] == [
        "line 1, column 1: game too long (maximum 1,000,000 characters)",
        "line 5, column 1: game too long (maximum 1,000,000 characters)",
    ]


@pytest.mark.parametrize(
    "broken",
    [
        HEAD + "1. a1/a2 {never closed\n\n",
        HEAD + "1. a1/a2 ((((\n\n",
        HEAD + "1. a1/a9 *\n\n",
        '[Game "nonsense"]\n\n1. a1/a2 *\n\n',
        "1. a1/a2 *\n\n",
        '[Game "taiji]\n\n1. a1/a2 *\n\n',
        "\x00\xff garbage ] [ \n\n",
    ],
)
def test_the_game_behind_a_broken_one_is_read(broken: str) -> None:
    errors: list[NotationError] = []
    good = HEAD + "1. a1/a2 b1/b2 *\n\n"
    found = list(read_records(io.StringIO(good + broken + good + broken + good), errors.append))
    assert [record.moves for record in found] == [("a1/a2", "b1/b2")] * 3
    assert len(errors) == 2
    assert errors[1].line is not None
    assert errors[0].line is not None
    assert errors[1].line > errors[0].line


def test_without_a_listener_a_broken_game_raises() -> None:
    with pytest.raises(NotationError):
        list(read_records(io.StringIO(HEAD + "oops *")))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: RecordedMove("a1 (a2"), "invalid move 'a1 (a2'"),
        (lambda: RecordedMove("1-0"), "invalid move '1-0'"),
        (lambda: RecordedMove(""), "invalid move ''"),
        (lambda: RecordedMove("a1/a2", nags=(256,)), "annotation glyph 256: invalid (expected 0 to 255"),
        (lambda: RecordedMove("a1/a2", clock=-1), "clock -1: invalid (expected 0 to"),
        (lambda: Evaluation(win_prob=1.5), "win probability 1.5: invalid (expected 0 to 1"),
        (lambda: Evaluation(margin=float("nan")), "margin nan"),
        (lambda: Evaluation(), "empty evaluation"),
        (lambda: Record(parse_game("taiji"), tags=(("Result", "1-0"),)), "Result is a field, not a tag"),
        (lambda: Record(parse_game("taiji"), tags=(("A", "1"), ("A", "2"))), "duplicate tag A"),
        (lambda: Record(parse_game("taiji"), start=parse_game("tailits").start()), "the position belongs to"),
    ],
)  # fmt: skip
def test_a_record_that_could_not_be_written_is_not_made(make, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        make()
    assert message in str(caught.value)
