"""Our record, into another format and back: nothing that the format can tell has changed."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

from taiji.notation import Record, Result, Score, Termination
from taiji.notation.interchange import (
    FORMATS,
    ImportedGame,
    format_abstractplay,
    format_ludii,
    make_sink,
    read_abstractplay,
    read_ludii,
)
from taiji.notation.replays import replay_with_rules
from taiji.rules import Seat
from tests.notation.interchange.samples import ABSTRACTPLAY, LUDII, cut, game_record, imported


def back(text: str, read: object) -> Record:
    [item] = read(io.StringIO(text))
    assert isinstance(item, ImportedGame), item
    return item.record


@pytest.mark.parametrize("text", ABSTRACTPLAY)
def test_abstractplay_gives_back_what_it_got(text: str) -> None:
    record = game_record(text, 1)
    assert back(format_abstractplay(imported(record)), read_abstractplay) == record


@pytest.mark.parametrize("seed", range(8))
def test_ludii_gives_back_the_moves_and_the_result(seed: int) -> None:
    record = game_record(LUDII, seed)
    again = back(format_ludii(imported(record)), read_ludii)
    assert again.moves == record.moves
    assert (again.game, again.result, again.score) == (record.game, record.result, record.score)
    assert format_ludii(imported(again)) == format_ludii(imported(record))


@pytest.mark.parametrize(
    ("plies", "termination", "winner", "result"),
    [
        (9, Termination.RESIGNED, Seat.FIRST, Result.LIGHT),
        (8, Termination.TIME, Seat.SECOND, Result.DARK),
        (7, Termination.FORFEIT, Seat.FIRST, Result.LIGHT),
        (0, Termination.FORFEIT, Seat.SECOND, Result.DARK),
        (6, Termination.AGREED, None, Result.DRAW),
        (5, Termination.ABANDONED, None, Result.DRAW),
        (5, Termination.ABANDONED, Seat.FIRST, Result.LIGHT),
    ],
)
def test_abstractplay_keeps_how_a_game_was_ended(
    plies: int, termination: Termination, winner: Seat | None, result: Result
) -> None:
    record = cut(game_record("taiji:size=7"), plies, termination, winner)
    assert record.result is result
    assert back(format_abstractplay(imported(record)), read_abstractplay) == record


@pytest.mark.parametrize("date", ["", "2026.??.??", "long ago", "2026.01.02"])
def test_abstractplay_invents_no_tags(date: str) -> None:
    tags = {"Date": date} if date else {"Annotator": "nobody"}
    record = game_record("taiji:size=7", 3, **tags, LightType="program", DarkId="u-1", GameId="g/9")
    again = back(format_abstractplay(imported(record)), read_abstractplay)
    assert dict(again.tags) == dict(record.tags)
    assert replace(again, tags=record.tags) == record


def test_an_unfinished_trial_stays_unfinished() -> None:
    record = cut(game_record(LUDII), 10, None)
    again = back(format_ludii(imported(record)), read_ludii)
    assert again.moves == record.moves
    assert again.result is Result.OPEN
    assert again.score is None


@pytest.mark.parametrize("name", ["tji", "jsonl", "abstractplay", "ludii"])
@pytest.mark.parametrize("count", [1, 2, 5])
def test_files_of_several_games_come_back(name: str, count: int) -> None:
    form, stream = FORMATS[name], io.StringIO()
    records = [game_record(LUDII, seed) for seed in range(count)]
    sink = make_sink(form, stream)
    for number, record in enumerate(records, 1):
        sink.write(imported(record), number)
    sink.close()
    stream.seek(0)
    items = list(form.read(stream, replay_with_rules))
    assert [item.record.moves for item in items] == [record.moves for record in records]
    assert [item.record.score for item in items] == [Score(*record.score) for record in records]
