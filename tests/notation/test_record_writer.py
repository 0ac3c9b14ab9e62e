"""Lines of a written record are wrapped before the width, and moves numbered where needed."""

from __future__ import annotations

import pytest

from taiji.notation import Record, RecordedMove, Variation, format_record
from taiji.rules import parse_game

GAME = parse_game("taiji:size=4")
MOVES = ("a1/a2", "b1/b2", "c1/c2", "d1/d2", "a3/a4")


def movetext(record: Record, width: int = 80) -> list[str]:
    return format_record(record, width).split("\n\n")[1].rstrip("\n").split("\n")


@pytest.mark.parametrize(
    ("width", "lines"),
    [
        (15, ["1. a1/a2 b1/b2", "2. c1/c2 d1/d2", "3. a3/a4 *"]),
        (14, ["1. a1/a2", "b1/b2", "2. c1/c2", "d1/d2", "3. a3/a4 *"]),
        (80, ["1. a1/a2 b1/b2 2. c1/c2 d1/d2 3. a3/a4 *"]),
    ],
)
def test_lines_are_wrapped_before_the_width(width: int, lines: list[str]) -> None:
    assert movetext(Record(GAME, tuple(map(RecordedMove, MOVES))), width) == lines


def test_numbers_after_an_interruption() -> None:
    first = RecordedMove("a1/a2", (7, 1), "why", variations=(Variation((RecordedMove("b1/b2"),), "instead"),))
    second = RecordedMove("b1/b2", (1, 14))
    record = Record(GAME, (first, second, RecordedMove("c1/c2", (6,))))
    [line] = movetext(record)
    assert line == "1. a1/a2 $7 $1 {why} ({instead} 1. b1/b2) 1... b1/b2! $14 2. c1/c2?! *"


def test_a_record_from_a_position_continues_its_numbers() -> None:
    state = GAME.start()
    for placement in (GAME.placements[0], next(p for p in GAME.placements if not p.cells & 3)):
        state = state.play(placement)
    after = state.legal()[0]
    [line] = movetext(Record.of(GAME, [after], start=state))
    assert line.startswith("2. ")
    [line] = movetext(Record.of(GAME, [state.legal()[0]], start=GAME.start().play(GAME.placements[0])))
    assert line.startswith("1... ")
