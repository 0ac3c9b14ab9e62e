"""The limits of records at their exact values: the last that is taken, and the first that is refused."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from taiji.notation import (
    Evaluation,
    NotationError,
    Record,
    RecordedMove,
    format_record,
    parse_record,
    read_records,
    record_from_json,
    write_record,
)
from taiji.notation.interchange.json_stream import MAX_OBJECT_CHARS
from taiji.notation.interchange.ludii import read_ludii
from taiji.notation.positions import MAX_POSITION_CHARS
from taiji.notation.record_splitter import MAX_GAME_CHARS
from taiji.notation.records import MAX_MOVES, MAX_TAG_CHARS, MAX_TAGS, MAX_VARIATION_DEPTH
from taiji.rules.move_text import MAX_MOVE_CHARS

DOCUMENT = Path(__file__).parents[2] / "docs/notation.md"
HEAD = '[Game "taiji:size=3"]\n\n'


def test_the_limits_are_those_of_the_document() -> None:
    table = DOCUMENT.read_text().partition("## Limits")[2]
    cells = re.findall(r"^\| .+? \| (\d.*?) \|$", table, re.MULTILINE)
    documented = [int(one.replace(",", "")) for cell in cells for one in re.findall(r"[\d,]*\d", cell)]
    assert documented == [
        MAX_MOVE_CHARS,
        MAX_POSITION_CHARS,
        MAX_GAME_CHARS,
        MAX_VARIATION_DEPTH,
        MAX_TAGS,
        MAX_TAG_CHARS,
        MAX_MOVES,
    ]
    assert MAX_OBJECT_CHARS == 4_000_000


@pytest.mark.parametrize("nag", [0, 255])
def test_annotation_glyphs_in_range(nag: int) -> None:
    assert RecordedMove("a1/a2", (nag,)).nags == (nag,)
    assert parse_record(f"{HEAD}1. a1/a2 ${nag} *").steps[0].nags == (nag,)


@pytest.mark.parametrize("nag", [-1, 256])
def test_annotation_glyphs_out_of_range(nag: int) -> None:
    with pytest.raises(NotationError, match="annotation glyph"):
        RecordedMove("a1/a2", (nag,))
    with pytest.raises(NotationError, match=r"\$256 \(expected \$0 to \$255\)"):
        parse_record(f"{HEAD}1. a1/a2 $256 *")


def test_clocks_from_nothing_to_a_hundred_thousand_hours() -> None:
    for seconds in (0, 359_999_999):
        assert RecordedMove("a1/a2", clock=seconds).clock == seconds
    for seconds in (-0.001, 359_999_999.5):
        with pytest.raises(NotationError, match="clock"):
            RecordedMove("a1/a2", clock=seconds)


@pytest.mark.parametrize(
    ("name", "values", "refused"),
    [
        ("win_prob", (0, 1), (-0.001, 1.001)),
        ("margin", (-1e9, 1e9), (-1e9 - 1, 1e9 + 1)),
        ("playouts", (0, 10**15), (-1, 10**15 + 1)),
    ],
)
def test_evaluations(name: str, values: tuple[float, ...], refused: tuple[float, ...]) -> None:
    for value in values:
        assert getattr(Evaluation(**{name: value}), name) == value  # type: ignore[arg-type]
    for value in refused:
        with pytest.raises(NotationError, match=name.replace("win_prob", "win probability")):
            Evaluation(**{name: value})  # type: ignore[arg-type]


def test_evaluations_and_clocks_are_rounded() -> None:
    found = Evaluation(0.123449, 1.2349, 7)
    assert (found.win_prob, found.margin, found.playouts) == (0.1234, 1.23, 7)
    assert RecordedMove("a1/a2", clock=1.23449).clock == 1.234


@pytest.mark.parametrize(("points", "read"), [(10**30, True), (10**30 + 10**15, False), (-0.5, False)])
def test_points_in_json(points: float, read: bool) -> None:
    value = {"game": "taiji:size=3", "score": {"light": points, "dark": 0}}
    if read:
        assert record_from_json(value).score == (points, 0)
    else:
        with pytest.raises(NotationError, match="whole or half points"):
            record_from_json(value)


@pytest.mark.parametrize("variations", [19_999, 20_000])
def test_moves_with_their_variations(variations: int) -> None:
    value = {
        "game": "taiji:size=3",
        "moves": [{"move": "a1/a2", "variations": [{"moves": ["b1/b2"]}] * variations}],
    }
    if variations == 19_999:
        assert record_from_json(value).moves == ("a1/a2",)
    else:
        with pytest.raises(NotationError, match=r"too many moves \(maximum 20,000\)"):
            record_from_json(value)


@pytest.mark.parametrize(("moves", "too_long"), [(10_000, False), (10_001, True)])
def test_moves_of_a_trial(moves: int, too_long: bool) -> None:
    text = (
        "game=/lud/board/space/connection/Taiji.lud\nSTART GAME OPTIONS\nEND GAME OPTIONS\n"
        + "Move=x\n" * moves
    )
    [found] = read_ludii(io.StringIO(text))
    assert ("trial too long (maximum 10,000 moves)" in str(found)) == too_long


def test_moves_of_a_text_with_their_variations() -> None:
    text = HEAD + "1. a1/a2 " + "(1. b1/b2) " * 19_999 + "*"
    assert parse_record(text).moves == ("a1/a2",)
    with pytest.raises(NotationError, match=r"too many moves \(maximum 20,000\)"):
        parse_record(text.replace("*", "(1. b1/b2) *"))


def test_a_game_may_have_exactly_the_maximum_length() -> None:
    filled = HEAD + "1. a1/a2 {" + "x" * (MAX_GAME_CHARS - len(HEAD) - 13) + "} *\n"
    assert len(filled) == MAX_GAME_CHARS + 1
    errors: list[NotationError] = []
    for text, count in ((filled.replace("x", "", 1), 0), (filled, 1)):
        errors.clear()
        assert len(list(read_records(io.StringIO(text), errors.append))) == 1 - count
        assert len(errors) == count


def test_written_records_are_apart_and_broken_values_are_refused() -> None:
    record = parse_record(HEAD + "1. a1/a2 *")
    stream = io.StringIO()
    write_record(stream, record)
    write_record(stream, record)
    assert stream.getvalue() == f"{format_record(record)}\n" * 2
    with pytest.raises(TypeError, match="width"):
        format_record(record, "80")  # type: ignore[arg-type]
    with pytest.raises(NotationError, match="expected a pair of two texts"):
        Record(record.game, tags=(("Light", "Ann", "Bo"),))  # type: ignore[arg-type]
