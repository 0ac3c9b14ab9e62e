"""Ludii's trials, written by hand from the published format, and what is wrong with bad ones."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

from taiji.notation import NotationError, Result, Score, Termination
from taiji.notation.interchange import ConversionError, ImportedGame, error_category, format_ludii, read_ludii
from taiji.notation.interchange.ludii import omitted_from_ludii
from taiji.rules import Seat
from tests.notation.interchange.samples import LUDII, cut, game_record, imported

TRIAL = """\
game=../Common/res/lud/board/space/group/Taiji.lud
START GAME OPTIONS
END GAME OPTIONS
RNG internal state=-1,2,-3,4,-5,6,-7,8
Move=[Move:mover=1,from=40,to=40,actions=[Add:type=Cell,to=40,what=1,decision=true],[SetScore:player=1,score=1],[SetNextPlayer:player=1]]
Move=[Move:mover=1,from=41,to=41,actions=[Add:type=Cell,to=41,what=2,decision=true],[SetScore:player=2,score=1]]
Move=[Move:mover=2,from=32,to=32,actions=[Add:type=Cell,to=32,what=2,decision=true],[SetScore:player=2,score=2],[SetNextPlayer:player=2]]
Move=[Move:mover=2,from=31,to=31,actions=[Add:type=Cell,to=31,what=1,decision=true],[SetScore:player=1,score=2]]
Move=[Move:mover=1,from=0,to=0,actions=[Add:type=Cell,to=0,what=1,decision=true],[SetNextPlayer:player=1]]
Move=[Move:mover=1,from=9,to=9,actions=[Add:type=Cell,to=9,what=2,decision=true]]
LEGAL MOVES LIST SIZE = 81
numInitialPlacementMoves=0
rankings=0.0,0.0,0.0
SANDBOX=false
LUDII_VERSION=1.3.13
"""


def read(text: str) -> list[ImportedGame | NotationError]:
    return list(read_ludii(io.StringIO(text)))


def refusal(text: str) -> NotationError:
    [item] = read(text)
    assert isinstance(item, NotationError)
    return item


def test_two_half_moves_are_a_turn_the_movers_own_square_first() -> None:
    [item] = read(TRIAL)
    assert str(item.record.game) == LUDII
    assert item.record.moves == ("e5/f5", "e4/f4", "a1/a2")
    assert item.record.result is Result.OPEN


def test_what_is_written_is_what_ludii_writes() -> None:
    lines = TRIAL.splitlines()
    written = format_ludii(read(TRIAL)[0]).splitlines()
    moves = [line for line in lines if line.startswith("Move=")]
    assert [line for line in written if line.startswith("Move=")] == moves
    assert written[0] == "game=/lud/board/space/group/Taiji.lud"
    assert written[1:3] == lines[1:3]
    assert [line.partition("=")[0] for line in written[-4:]] == [
        line.partition("=")[0] for line in lines[-4:]
    ]


def test_a_finished_game_has_a_winner_and_ranks() -> None:
    for seed in range(6):
        record = game_record(LUDII, seed)
        text = format_ludii(imported(record))
        won = 1 if record.result is Result.LIGHT else 2
        ranks = "0.0,1.0,2.0" if won == 1 else "0.0,2.0,1.0"
        assert f"winner={won}\nendtype=NaturalEnd\nrankings={ranks}\n" in text
        scores = {}
        for part in text.split("[SetScore:player=")[1:]:
            player, _, points = part.partition("]")[0].partition(",score=")
            scores[player] = int(points)
        assert record.score == Score(scores["1"], scores["2"])


@pytest.mark.parametrize(
    ("old", "new", "reason", "says", "ply"),
    [
        ("Taiji.lud", "Spaiji.lud", "unknown variant", "Spaiji", None),
        ("END GAME", "Board Size/11x11\nEND GAME", "unknown variant", "unknown option", None),
        ("game=", "gone=", "missing field", "(expected game=", None),
        ("mover=2,from=32", "mover=1,from=32", "cannot be read", "out of turn", 2),
        ("to=32,what=2", "to=32,what=1", "cannot be read", "out of order", 2),
        ("to=31,what=1", "to=99,what=1", "cannot be read", "off the board", 2),
        (
            "[Add:type=Cell,to=31,what=1,decision=true]",
            "[Pass:]",
            "cannot be read",
            "does not add a piece",
            2,
        ),
        (
            "from=9,to=9,actions=[Add:type=Cell,to=9",
            "from=80,to=80,actions=[Add:type=Cell,to=80",
            "illegal move",
            "",
            3,
        ),
        (
            "from=9,to=9,actions=[Add:type=Cell,to=9",
            "from=0,to=0,actions=[Add:type=Cell,to=0",
            "cannot be read",
            "duplicate cell",
            3,
        ),
        ("Cell,to=40,", "Cell,to=31,", "illegal move", "", 1),
        ("rankings", "winner=1\nendtype=NaturalEnd\nrankings", "wrong result", "before the end", 3),
    ],
)
def test_what_is_wrong_is_said(old: str, new: str, reason: str, says: str, ply: int | None) -> None:
    assert old in TRIAL
    error = refusal(TRIAL.replace(old, new, 1))
    assert error_category(error) == reason
    assert says in error.message
    assert error.ply == ply
    assert error.line


def test_half_a_turn_is_refused() -> None:
    lines = [line for line in TRIAL.splitlines() if "from=9," not in line]
    assert "second move" in refusal("\n".join(lines)).message


def test_a_wrong_winner_is_refused_and_the_next_trial_is_read() -> None:
    text = format_ludii(imported(game_record(LUDII, 1)))
    wrong = (
        text.replace("winner=1", "winner=9").replace("winner=2", "winner=1").replace("winner=9", "winner=2")
    )
    first, second = read(wrong + "\n" + text)
    assert error_category(first) == "wrong result"
    assert isinstance(second, ImportedGame)


def test_only_its_own_game_can_be_written() -> None:
    with pytest.raises(ConversionError, match=r"Ludii has no taiji \(expected taiji:groups=1\)"):
        format_ludii(imported(game_record("taiji")))
    resigned = cut(game_record(LUDII), 4, Termination.RESIGNED, Seat.FIRST)
    with pytest.raises(ConversionError, match="resigned"):
        format_ludii(imported(resigned))
    record = game_record(LUDII)
    moved = replace(record, start=record.replay().states[2], steps=record.steps[2:])
    with pytest.raises(ConversionError, match="start at the beginning"):
        format_ludii(imported(moved))


def test_names_are_left_out_and_that_is_said() -> None:
    assert omitted_from_ludii(imported(game_record(LUDII))) == ("names and other tags left out",)


def test_an_empty_file_has_no_trial() -> None:
    assert read("") == []
