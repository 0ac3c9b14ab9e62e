"""Native records among the formats: checked, with the line of what is wrong, one bad game at a time."""

from __future__ import annotations

import io
import json

import pytest

from taiji.notation import NotationError, RecordedMove, Variation, record_to_json
from taiji.notation.interchange import ImportedGame, error_category
from taiji.notation.interchange.native_formats import format_json_line, format_tji, read_json_lines, read_tji
from tests.notation.interchange.samples import game_record, imported

GAME = '[Game "taiji:size=2"]\n\n'
GOOD = GAME + "1. A1,a2 b1/b2 *\n\n"


def texts(items: list[ImportedGame | NotationError]) -> list[tuple[int | None, int | None, str]]:
    return [
        (error.line, error.ply, error_category(error)) for error in items if isinstance(error, NotationError)
    ]


def test_results_are_filled_in_and_moves_made_canonical() -> None:
    [item] = read_tji(io.StringIO(GOOD))
    assert isinstance(item, ImportedGame)
    assert (item.record.moves, item.record.result.value) == (("a1/a2", "b1/b2"), "0-1")
    assert (item.record.score, [ply.choices for ply in item.replayed.plies]) == ((2, 2), [8, 2])


def test_bad_games_among_good_ones() -> None:
    wrong = GAME + "1. a1/a2 b1/b2 1-0\n\n"
    illegal = GAME + "1. a1/a2 a2/b2 *\n\n"
    broken = GAME + "1. a1/a2 {\n\n"
    items = list(read_tji(io.StringIO(GOOD + wrong + illegal + broken + GOOD)))
    assert [isinstance(item, ImportedGame) for item in items] == [True, False, False, False, True]
    assert texts(items) == [
        (None, 2, "wrong result"),
        (11, 2, "illegal move"),
        (15, None, "cannot be read"),
    ]


def test_json_lines_name_the_line_of_an_error() -> None:
    good = {"game": "taiji:size=2", "moves": ["a1/a2", "b1/b2"]}
    lines = [
        json.dumps(good),
        "",
        json.dumps({**good, "result": "1-0"}),
        json.dumps({**good, "moves": ["a1/a2", "a2/b2"]}),
        "{",
        json.dumps({**good, "game": "chess"}),
        json.dumps(good),
    ]
    items = list(read_json_lines(io.StringIO("\n".join(lines))))
    assert [isinstance(item, ImportedGame) for item in items] == [True, False, False, False, False, True]
    assert texts(items) == [
        (3, 2, "wrong result"),
        (4, 2, "illegal move"),
        (5, None, "cannot be read"),
        (6, None, "cannot be read"),
    ]


@pytest.mark.parametrize("variation", ["b1/b2", "a1/c1"])
def test_variations_are_checked_too(variation: str) -> None:
    record = game_record("taiji:size=4", Light="Ö")
    first = RecordedMove(record.steps[0].move, variations=(Variation((RecordedMove(variation),)),))
    text = json.dumps(record_to_json(record) | {"moves": [_as_json(first), *record.moves[1:]]})
    [item] = read_json_lines(io.StringIO(text))
    assert isinstance(item, ImportedGame) == (variation == "b1/b2")


def _as_json(step: RecordedMove) -> dict[str, object]:
    return {"move": step.move, "variations": [{"moves": [step.variations[0].steps[0].move]}]}


def test_both_formats_round_trip() -> None:
    record = game_record("taiji:size=4", 3, Light="Ö")
    [item] = read_tji(io.StringIO(format_tji(imported(record))))
    assert isinstance(item, ImportedGame)
    assert item.record == record
    line = format_json_line(imported(record))
    assert "Ö" in line
    assert "\n" not in line
    [item] = read_json_lines(io.StringIO(line))
    assert isinstance(item, ImportedGame)
    assert item.record == record
