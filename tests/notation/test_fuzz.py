"""Parsers fed with anything: they return a value or raise `NotationError`, and nothing else."""

from __future__ import annotations

import contextlib
import io
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from taiji.notation import (
    Evaluation,
    NotationError,
    Record,
    RecordedMove,
    Variation,
    format_position,
    format_record,
    parse_move,
    parse_position,
    parse_record,
    read_records,
    record_from_json,
    record_to_json,
)
from taiji.rules import parse_game
from tests.notation.games import TEXTS, game, random_game

FUZZ = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])

SMALL = "taiji:size=3"
moveish = st.text(alphabet="abckABC0123459/,- swap\t×é(){}", max_size=20) | st.text(max_size=20)
GOOD_TAGS = ('[Game "taiji:size=3"]\n', '[Game "tailits"]\n', '[Result "1-0"]\n', '[Score "1-2"]\n')
POSITION = '[Position "tji1 taiji:size=3 - light -"]\n'
MARKS = ("[", "]", '"', "\\", "\n", "\n\n", "{", "}", "(", ")", ";", "$1", "!", "?!", "1.", "1...", "2.", " ")
WORDS = ("a1/a2", "b1b2", "C1,C2", "a3/b3", "f5f6/f7f8", "swap", "1-0", "*", "[%clk 0:00:01]", "[%eval 5%]")
pieces = st.sampled_from((*GOOD_TAGS, POSITION, *MARKS, *WORDS, "\x00"))
recordish = st.lists(pieces | st.text(max_size=5), max_size=40).map("".join)

FIELDS = ("tji1", SMALL, "tailits+taiji", "-", "light", "dark", "over", "swapped", " ", ";", ",")
PLACEMENTS = ("a1/a2", "b1/b2", "a2/a3", "f5f6/f7f8")
positionish = st.lists(st.sampled_from((*FIELDS, *PLACEMENTS)) | st.text(max_size=4), max_size=14).map(
    "".join
)

KEYS = (
    "game", "moves", "move", "variations", "comment", "clock", "eval", "chance", "nags", "tags", "score",
    "light", "dark", "result", "termination", "position", "playouts",
)  # fmt: skip
scalars = (
    st.none() | st.booleans() | st.integers() | st.floats() | moveish | st.sampled_from((SMALL, "a1/a2"))
)
jsonish = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
    max_leaves=25,
)
records_in_json = st.dictionaries(
    st.sampled_from(("moves", "tags", "score", "result", "comment", "position")), jsonish, max_size=4
).map(lambda value: {"game": SMALL, **value})


@FUZZ
@given(st.sampled_from(TEXTS), moveish)
def test_moves(name: str, text: str) -> None:
    with contextlib.suppress(NotationError):
        parse_move(game(name).start(), text)


@FUZZ
@given(positionish | st.text(max_size=60))
def test_positions(text: str) -> None:
    with contextlib.suppress(NotationError):
        state = parse_position(text)
        assert parse_position(format_position(state)) == state


@FUZZ
@given(recordish | st.text(max_size=200))
def test_records(text: str) -> None:
    errors: list[NotationError] = []
    for record in read_records(io.StringIO(text), errors.append):
        assert parse_record(format_record(record)) == record
        assert record_from_json(json.loads(json.dumps(record_to_json(record)))) == record
    assert all(error.line is not None and error.column is not None for error in errors)


@FUZZ
@given(recordish)
def test_records_with_a_good_head(text: str) -> None:
    with contextlib.suppress(NotationError):
        parse_record(f'[Game "{SMALL}"]\n\n1. a1/a2 {text} *')


@FUZZ
@given(jsonish | records_in_json)
def test_json(value: object) -> None:
    with contextlib.suppress(NotationError):
        record = record_from_json(value)
        assert parse_record(format_record(record)) == record


def evaluations() -> st.SearchStrategy[Evaluation]:
    numbers = st.none() | st.integers(0, 10_000).map(lambda n: n / 10_000)
    margins = st.none() | st.integers(-50_000, 50_000).map(lambda n: n / 100)
    return st.builds(Evaluation, numbers, margins, st.integers(0, 10**15))


def steps(move: str) -> st.SearchStrategy[RecordedMove]:
    clocks = st.none() | st.integers(0, 10**11).map(lambda ms: ms / 1000)
    nags = st.lists(st.integers(0, 255), max_size=3).map(tuple)
    lines = st.lists(
        st.builds(lambda comment: Variation((RecordedMove("c1/c2"),), comment), st.text(max_size=30)),
        max_size=2,
    )
    return st.builds(
        RecordedMove,
        st.just(move),
        nags,
        st.text(max_size=60),
        clocks,
        st.none() | evaluations(),
        lines.map(tuple),
    )


@FUZZ
@given(
    steps("a1/a2"),
    steps("b1/b2"),
    st.text(max_size=60),
    st.dictionaries(st.from_regex(r"X[A-Za-z0-9_]{0,9}", fullmatch=True), st.text(max_size=40), max_size=3),
    st.text(max_size=40),
)
def test_whatever_a_record_says_round_trips(
    one: RecordedMove, two: RecordedMove, comment: str, tags: dict[str, str], name: str
) -> None:
    pairs = tuple({key.lower(): (key, value) for key, value in tags.items()}.values())
    record = Record(parse_game(SMALL), (one, two), (*pairs, ("Light", name)), comment=comment)
    text = format_record(record)
    text.encode("utf-8")
    assert parse_record(text) == record
    assert record_from_json(json.loads(json.dumps(record_to_json(record)))) == record


@FUZZ
@given(st.sampled_from(TEXTS[:5]), st.integers(0, 5), st.data())
def test_a_record_with_a_character_changed_is_read_or_refused(
    name: str, seed: int, data: st.DataObject
) -> None:
    moves, _ = random_game(name, seed, plies=6)
    text = format_record(Record.of(game(name), moves, {"Light": "Ann"}))
    at = data.draw(st.integers(0, len(text) - 1))
    mark = data.draw(st.sampled_from('[]{}()";*$!\\/0a9z \n') | st.characters())
    with contextlib.suppress(NotationError):
        parse_record(text[:at] + mark + text[at + 1 :])


@pytest.mark.parametrize(
    "bomb", ["(" * 300_000, "{" * 300_000, '[A "' * 100_000, "\\" * 300_000, "a1" * 300_000]
)
def test_bombs_are_refused_at_once(bomb: str) -> None:
    for head in ("", f'[Game "{SMALL}"]\n\n1. a1/a2 '):
        with contextlib.suppress(NotationError):
            parse_record(head + bomb)
