"""AbstractPlay's records, written by hand from the published format, and what is wrong with bad ones."""

from __future__ import annotations

import copy
import io
import json
import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from taiji.notation import NotationError, Result, Score, Termination
from taiji.notation.interchange import (
    ConversionError,
    ImportedGame,
    abstractplay_record,
    error_category,
    format_abstractplay_move,
    read_abstractplay,
)
from taiji.notation.interchange.abstractplay import TIE_NOTE
from taiji.notation.interchange.abstractplay_variants import game_from_variants, variant_names
from taiji.notation.interchange.abstractplay_writer import omitted_from_abstractplay
from taiji.rules import parse_game
from tests.notation.interchange.samples import ABSTRACTPLAY, cut, game_record, imported, tied, with_steps

NOW = datetime(2026, 11, 15, 20, 30, 1, 234_567, UTC)


def sample() -> dict:
    """A resigned game as the site writes it."""
    return {
        "header": {
            "game": {"name": "Taiji", "variants": ["Smaller board: 7x7", "Scoring: Single largest group"]},
            "event": "Spring",
            "round": "3",
            "site": {"name": "Abstract Play", "gameid": "5a7c-11"},
            "date-start": "2024-02-03T10:11:12.345Z",
            "date-end": "2024-02-05T01:02:03.000Z",
            "date-generated": "2024-02-05T01:02:04.000Z",
            "players": [
                {"name": "ann", "userid": "u1", "is_ai": False, "score": 2, "result": 0},
                {"name": "aibot", "userid": "u2", "is_ai": True, "score": 2, "result": 1},
            ],
        },
        "moves": [["d4,d5", "A1,b1"], [{"move": "d3,e3", "result": "placed"}, "c3, b3"], ["resign", None]],
    }


def read(value: object) -> list[ImportedGame | NotationError]:
    return list(read_abstractplay(io.StringIO(value if isinstance(value, str) else json.dumps(value))))


def refusal(value: object) -> NotationError:
    [item] = read(value)
    assert isinstance(item, NotationError)
    return item


def test_a_record_is_read() -> None:
    [item] = read(sample())
    record = item.record
    assert str(record.game) == "taiji:size=7"
    assert record.moves == ("d4/d5", "a1/b1", "d3/e3", "c3/b3")
    assert (record.result, record.termination, record.score) == (Result.DARK, Termination.RESIGNED, None)
    assert dict(record.tags) == {
        "Event": "Spring",
        "Site": "Abstract Play",
        "Date": "2024.02.03",
        "Round": "3",
        "Light": "ann",
        "Dark": "aibot",
        "GameId": "5a7c-11",
        "LightId": "u1",
        "DarkId": "u2",
        "DarkType": "program",
    }


def test_the_rows_count_from_the_bottom_as_here() -> None:
    state = parse_game("taiji").start()
    assert format_abstractplay_move(state.game, state.game.placements[0]) == "a1,b1"
    with pytest.raises(ConversionError, match="no notation"):
        format_abstractplay_move(parse_game("battle-of-lits"), parse_game("battle-of-lits").swap)


@pytest.mark.parametrize("text", ABSTRACTPLAY)
def test_every_variant_is_a_game_and_back(text: str) -> None:
    game = parse_game(text)
    assert game_from_variants("Taiji", variant_names(game)) == game


def test_two_groups_count_there_unless_said_otherwise() -> None:
    assert str(game_from_variants("taiji", ["7x7"])) == "taiji:size=7,groups=2"
    assert str(game_from_variants("Taiji", ["11x11", "threegroups", "tonga"])) == "taiji:size=11,diagonal=yes"
    default = ["Simple sum", "Scoring: Largest two groups", "Default board: 9x9"]
    assert variant_names(parse_game("taiji")) == default


def test_a_shared_tie_is_darks_and_said_so() -> None:
    record = tied("taiji:size=7")
    value = abstractplay_record(imported(record), NOW)
    assert [player["result"] for player in value["header"]["players"]] == [0, 1]
    for player in value["header"]["players"]:
        player["result"] = 1
    [item] = read(value)
    assert item.notes == (TIE_NOTE,)
    assert item.record.result is Result.DARK
    value["header"]["players"][1]["result"] = 0
    assert error_category(refusal(value)) == "wrong result"


def test_what_is_written_has_every_field_that_the_format_requires() -> None:
    record = game_record("taiji:size=11", 2)
    value = abstractplay_record(imported(record), NOW)
    header = value["header"]
    assert set(value) == {"header", "moves"}
    assert {"game", "site", "date-start", "date-end", "date-generated", "players"} <= set(header)
    assert header["date-generated"] == "2026-11-15T20:30:01.234Z"
    assert header["date-start"] == "2026-11-15T00:00:00.000Z"
    assert set(header["game"]) == {"name", "variants"}
    assert set(header["site"]) <= {"name", "gameid"}
    for player, points in zip(header["players"], record.score, strict=True):
        assert isinstance(player["name"], str)
        assert player["score"] == points
        assert player["result"] in (0, 1)
    assert all(len(turns) == 2 for turns in value["moves"][:-1])
    assert sum(map(len, value["moves"])) == len(record.steps)
    assert all("," in move for turns in value["moves"] for move in turns)


def test_site_and_game_id_are_written() -> None:
    [item] = read(sample())
    assert abstractplay_record(item, NOW)["header"]["site"] == {"name": "Abstract Play", "gameid": "5a7c-11"}
    plain = imported(game_record("taiji:size=7", 1, Light="Ann"))
    header = abstractplay_record(plain, NOW)["header"]
    assert header["site"] == {"name": "taiji"}
    assert [player["name"] for player in header["players"]] == ["Ann", "?"]
    assert header["date-start"] == header["date-generated"]
    assert "event" not in header


def test_moves_after_an_ending_name_its_ply() -> None:
    record = sample()
    record["moves"][1][0] = "draw"
    assert refusal(record).ply == 3


def test_a_list_and_lines_of_records_are_read() -> None:
    games = [sample(), sample(), sample()]
    assert len(read(games)) == 3
    assert len(read("\n".join(map(json.dumps, games)))) == 3
    assert len(read(json.dumps(games, indent=4))) == 3


def test_a_bad_record_among_good_ones_is_told_and_the_rest_is_read() -> None:
    bad = sample()
    bad["moves"][1][0] = "d4,e4"
    items = read(json.dumps([sample(), bad, sample()], indent=1))
    assert [isinstance(item, ImportedGame) for item in items] == [True, False, True]
    assert (items[1].ply, error_category(items[1])) == (3, "illegal move")
    assert items[1].line > 1
    assert "d4" in items[1].message


def change(path: str, value: object) -> dict:
    """The sample with a field replaced; `None` takes it away."""
    record = sample()
    *parents, last = path.split(".")
    place = record
    for name in parents:
        place = place[int(name)] if name.isdigit() else place[name]
    key = int(last) if last.isdigit() else last
    if value is None:
        del place[key]
    else:
        place[key] = value
    return record


@pytest.mark.parametrize(
    ("record", "reason", "says"),
    [
        (change("header", None), "missing field", "header is missing"),
        (change("header.game", None), "missing field", "header.game is missing"),
        (change("header.game.name", None), "missing field", "header.game.name"),
        (change("header.players", None), "missing field", "header.players"),
        (change("header.players.1.result", None), "missing field", r"players\[1\].result"),
        (change("moves", None), "missing field", "moves is missing"),
        (change("moves.1.0", {"result": "x"}), "missing field", "round 2"),
        (change("header.game.name", "Tumbleweed"), "unknown variant", "Tumbleweed"),
        (change("header.game.variants", ["hexagons"]), "unknown variant", "unknown variant 'hexagons'"),
        (change("header.game.variants", ["7x7", "11x11"]), "unknown variant", "exclude each other"),
        (change("header.game.variants", "7x7"), "cannot be read", "expected an array"),
        (change("header.players", [{}]), "cannot be read", "2 objects"),
        (change("header.players.0.result", "won"), "cannot be read", "a number"),
        (change("header.players.0.result", 1), "wrong result", "resigned"),
        (change("header.pie-invoked", True), "cannot be read", "pie"),
        (change("moves", "d4,d5"), "cannot be read", r"moves: invalid \(expected an array"),
        (change("moves.0", "d4,d5"), "cannot be read", "round 1"),
        (change("moves.1.0", "z9,z8"), "illegal move", "z9"),
        (change("moves.1.0", "d3,e4"), "illegal move", ""),
        (change("moves.1.0", "d4,e4"), "illegal move", "d4"),
        (change("moves.1.0", "hello"), "cannot be read", "hello"),
        (change("moves.1.0", "draw"), "cannot be read", "moves after 'draw'"),
        (change("moves.2.0", "f6,f7"), "wrong result", "before the end"),
        (change("header.taiji", {"tags": {"Light": 3}}), "cannot be read", "expected strings"),
        (change("header.taiji", {"termination": "bored"}), "cannot be read", "unknown termination"),
    ],
)
def test_what_is_wrong_is_said(record: dict, reason: str, says: str) -> None:
    error = refusal(record)
    assert error_category(error) == reason
    assert error.line == 1
    assert re.search(says, error.message)


def test_a_wrong_score_or_winner_is_refused_at_the_last_ply() -> None:
    record = game_record("taiji:size=7", 4)
    value = abstractplay_record(imported(record), NOW)
    wrong = copy.deepcopy(value)
    wrong["header"]["players"][0]["score"] += 1
    assert (error_category(refusal(wrong)), refusal(wrong).ply) == ("wrong result", len(record.steps))
    wrong = copy.deepcopy(value)
    for player in wrong["header"]["players"]:
        player["result"] = 1 - player["result"]
    assert "by the rules it is" in refusal(wrong).message
    del value["header"]["players"][0]["score"]
    assert read(value)[0].record.score == Score(*record.score)


@pytest.mark.parametrize("text", ['{"header": ', "[1, 2]", "nonsense", '{"header": {}, ]}', '{"a": "b'])
def test_what_is_no_json_is_refused(text: str) -> None:
    assert all(error_category(item) in {"cannot be read", "missing field"} for item in read(text))
    assert read(text)


def test_nothing_is_no_game() -> None:
    assert read("") == read("[]") == []


@pytest.mark.parametrize(
    ("text", "says"),
    [("taiji:size=8", "no taiji:size=8"), ("taiji:score=omega", "OMEGA"), ("tailits", "no tailits")],
)
def test_games_that_it_does_not_have_are_refused(text: str, says: str) -> None:
    with pytest.raises(ConversionError, match=says) as caught:
        abstractplay_record(imported(game_record(text)), NOW)
    assert caught.value.category == "not representable in the target format"


def test_unfinished_games_and_positions_are_refused() -> None:
    record = game_record("taiji")
    with pytest.raises(ConversionError, match="finished games only"):
        abstractplay_record(imported(cut(record, 5, None)), NOW)
    state = record.replay().states[4]
    with pytest.raises(ConversionError, match="start at the beginning"):
        abstractplay_record(imported(replace(record, start=state, steps=record.steps[4:])), NOW)


def test_what_is_left_out_is_said() -> None:
    record = with_steps(game_record("taiji"), comment="hm", clock=3.0, nags=(1,))
    assert omitted_from_abstractplay(imported(record)) == ("comments and clocks and glyphs left out",)
    assert omitted_from_abstractplay(imported(game_record("taiji"))) == ()
