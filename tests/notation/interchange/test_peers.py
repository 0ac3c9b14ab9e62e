"""Files that other programs wrote are imported with the scores and winners that those programs give."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from taiji.kernel.fast_replay import replay_with_kernel
from taiji.notation import Result, Termination
from taiji.notation.interchange import ImportedGame, abstractplay_record, read_abstractplay, read_ludii
from taiji.notation.interchange.abstractplay import TIE_NOTE
from taiji.notation.interchange.ludii import format_ludii
from taiji.notation.replays import replay_with_rules
from tests.notation.interchange.test_abstractplay import NOW

PEERS = Path(__file__).parent / "peers"
RECORDS: list[dict[str, Any]] = json.loads((PEERS / "abstractplay/records.json").read_text())
RESULTS = {(1, 0): Result.LIGHT, (0, 1): Result.DARK}


def imported(name: str) -> list[ImportedGame]:
    items = list(
        read_abstractplay(io.StringIO((PEERS / "abstractplay" / name).read_text()), replay_with_kernel)
    )
    assert [item for item in items if not isinstance(item, ImportedGame)] == []
    return items


def test_abstractplay_records_have_equal_scores_and_winners() -> None:
    items = imported("records.json")
    assert len(items) == len(RECORDS) == 162
    assert len({item.record.game for item in items}) == 54
    ties = 0
    for item, peer in zip(items, RECORDS, strict=True):
        players = peer["header"]["players"]
        assert list(item.record.score) == [player["score"] for player in players]
        results = tuple(player["result"] for player in players)
        if results == (1, 1):
            ties += 1
            assert item.notes == (TIE_NOTE,)
            assert item.record.score.light == item.record.score.dark
            assert item.record.result is Result.DARK
        else:
            assert item.notes == ()
            assert item.record.result is RESULTS[results]
    assert ties == 14


def test_abstractplay_records_are_written_as_abstractplay_writes_them() -> None:
    for item, peer in zip(imported("records.json"), RECORDS, strict=True):
        written = abstractplay_record(item, NOW)
        assert written["moves"] == peer["moves"]
        assert written["header"]["game"] == peer["header"]["game"]


def test_abstractplay_endings() -> None:
    items = imported("endings.json")
    peers = json.loads((PEERS / "abstractplay/endings.json").read_text())
    endings = [(item.record.termination, item.record.result) for item in items]
    assert endings == [
        (Termination.RESIGNED, Result.LIGHT),
        (Termination.TIME, Result.LIGHT),
        (Termination.AGREED, Result.DRAW),
        (Termination.ABANDONED, Result.OPEN),
        (Termination.RESIGNED, Result.DARK),
        (Termination.RESIGNED, Result.DARK),
    ]
    for item, peer in zip(items, peers, strict=True):
        scores = item.replayed.plies[-1].scores
        assert list(scores) == [player["score"] for player in peer["header"]["players"]]
        assert abstractplay_record(item, NOW)["moves"] == peer["moves"]


def test_an_abstractplay_game_in_progress() -> None:
    [item] = imported("saved-state.json")
    assert str(item.record.game) == "taiji:size=7"
    assert (item.record.moves, item.record.result) == (("a1/a2",), Result.OPEN)
    assert item.replayed.outcome is None


def saved(moves: list[str], **fields: object) -> str:
    stack = [{}, *({"lastmove": move} for move in moves)]
    return json.dumps({"game": "taiji", "variants": ["7x7"], "stack": stack, **fields})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (saved(["a1,a2"], gameover=True), "gameover is true, by the moves it is false"),
        (saved(["a1,a2", "resign"], gameover=False), "gameover is false, by the moves it is true"),
        (saved(["a1,a2", "resign"], gameover=True, winner=[1, 2]), "resigned, yet the results say 1/2-1/2"),
        (saved(["a1,a2", "a2,a3"]), "a2,a3: a2 is already covered"),
        (json.dumps({"game": "taiji", "stack": [{}, {}]}), "lastmove is missing"),
        (json.dumps({"game": "taiji", "stack": [1]}), "stack: invalid (expected objects"),
        (json.dumps({"game": "chess", "stack": []}), "unknown game 'chess'"),
        (saved([], gameover=1), "gameover: invalid (expected a boolean"),
    ],
)
def test_a_saved_game_that_contradicts_itself_is_rejected(text: str, problem: str) -> None:
    [error] = read_abstractplay(io.StringIO(text))
    assert not isinstance(error, ImportedGame)
    assert problem in error.message


def test_a_saved_game_that_is_over() -> None:
    peer = RECORDS[0]
    moves = [move for turns in peer["moves"] for move in turns]
    fields = {"game": "taiji", "stack": [{}, *({"lastmove": move} for move in moves)], "gameover": True}
    [item] = read_abstractplay(io.StringIO(json.dumps({**fields, "winner": [1]})))
    assert (item.record.result, list(item.record.score)) == (Result.LIGHT, [14, 11])
    [error] = read_abstractplay(io.StringIO(json.dumps({**fields, "winner": [2]})))
    assert "the second player won, by the rules it is the first player, 14-11" in error.message
    resigned = {**fields, "stack": [{}, {"lastmove": "a1,a2"}, {"lastmove": "resign"}], "winner": [1]}
    [item] = read_abstractplay(io.StringIO(json.dumps(resigned)))
    assert (item.record.result, item.record.termination) == (Result.LIGHT, Termination.RESIGNED)


@pytest.mark.parametrize("number", range(20))
def test_ludii_trials_have_equal_winners_scores_and_moves(number: int) -> None:
    text = (PEERS / f"ludii/t{number}.txt").read_text()
    [item] = read_ludii(io.StringIO(text), replay_with_rules)
    lines = text.splitlines()
    winner = next(line for line in lines if line.startswith("winner="))
    assert item.record.result is {"winner=1": Result.LIGHT, "winner=2": Result.DARK}[winner]
    scores = {player: _last_score(text, player) for player in (1, 2)}
    assert list(item.record.score) == [scores[1], scores[2]]
    written = format_ludii(item).splitlines()
    own = [line for line in lines if not line.startswith(("RNG", "game="))]
    assert [line for line in written if not line.startswith(("RNG", "game="))] == own


def _last_score(text: str, player: int) -> int:
    """The score of a player as Ludii wrote it last."""
    marks = [part.split("]")[0] for part in text.split(f"[SetScore:player={player},score=")[1:]]
    return int(marks[-1])
