"""Saves: nothing is lost, nothing broken stops anything."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from taiji.notation import open_records, read_records
from taiji.rules import MatchRule
from taiji.terminal.clocks import TimeControl
from taiji.terminal.saves import Saves, data_folder
from taiji.terminal.session import Session
from tests.notation.games import TEXTS
from tests.terminal.sessions import session


@pytest.mark.parametrize("text", [text for text in TEXTS if text != "test-holes"])
def test_an_unfinished_game_is_there_again(text: str, tmp_path: Path) -> None:
    first = session(text, tmp_path, players=("person", "level:3"), plies=1)
    saved = Saves(tmp_path)
    first.saves.unlock(first.path)  # as when its process has ended
    found = saved.unfinished()
    assert [one.path for one in found] == [first.path]
    again = Session.resume(found[0], saved)
    assert again.state == first.state
    assert again.moves == first.moves
    assert again.setup.players == ("person", "level:3")


def test_clocks_and_match_are_there_again(tmp_path: Path) -> None:
    first = session(
        "taiji:size=2", tmp_path, plies=9, control=TimeControl(300, 2), match=MatchRule.BLUE_PANTHER
    )
    assert first.more_to_play
    first.next_game()
    first.play(first.state.legal()[0])
    first.close()
    saves = Saves(tmp_path)
    again = Session.resume(saves.unfinished()[0], saves)
    assert again.game_index == 1
    assert again.setup == first.setup
    assert again.clock is not None
    assert 290 < again.clock.remaining_s(again.state.seat_to_move) <= 304


def test_a_game_that_another_process_plays_is_left_to_it(tmp_path: Path) -> None:
    session("taiji:size=3", tmp_path, plies=2)
    code = "import sys, pathlib\nfrom taiji.terminal.saves import Saves\n"
    code += "print(Saves(pathlib.Path(sys.argv[1])).unfinished())"
    command = [sys.executable, "-c", code, str(tmp_path)]
    other = subprocess.run(command, capture_output=True, text=True, check=True)
    assert other.stdout == "[]\n"


@pytest.mark.parametrize(
    "content", [b"", b'[Game "taiji"]\n1. z9/z8', b"\xff\xfe\x00", b'[Game "chess"]\n\n1. a1/a2 *']
)
def test_a_broken_save_is_set_aside_with_a_warning(content: bytes, tmp_path: Path) -> None:
    good = session("taiji:size=3", tmp_path, plies=1)
    good.close()
    (tmp_path / "saves" / "broken.tji").write_bytes(content)
    saves = Saves(tmp_path)
    assert [saved.path for saved in saves.unfinished()] == [good.path]
    assert (tmp_path / "saves" / "broken.tji.broken").read_bytes() == content
    assert len(saves.warnings) == 1
    assert "broken.tji.broken" in saves.warnings[0]
    assert saves.unfinished()
    assert len(saves.warnings) == 1, "it is reported once"


def test_a_folder_that_cannot_be_written_gives_a_warning_and_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    begun = session("taiji:size=3", tmp_path / "file", plies=2)
    assert len(begun.moves) == 2
    assert len(begun.saves.warnings) == 1
    begun.close()


def test_finished_games_are_kept_together(tmp_path: Path) -> None:
    for seed in (1, 2):
        session("taiji:size=3", tmp_path, plies=99, seed=seed).close()
    with open_records(tmp_path / "games.tji") as stream:
        games = list(read_records(stream))
    assert len(games) == 2
    assert all(game.score for game in games)
    assert not list((tmp_path / "saves").iterdir())


def test_a_game_that_ended_without_a_farewell_is_finished_later(tmp_path: Path) -> None:
    killed = session("taiji:size=3", tmp_path, plies=99)
    killed.saves.unlock(killed.path)
    assert Saves(tmp_path).unfinished() == []
    assert (tmp_path / "games.tji").exists()


def test_a_save_is_whole_at_every_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = session("taiji:size=3", tmp_path, plies=1)
    before = begun.path.read_text()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    begun.play(begun.state.legal()[0])
    assert begun.path.read_text() == before
    assert "No space left on device" in begun.saves.warnings[0]


def test_the_folder_follows_the_standard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert data_folder() == Path("/somewhere/taiji")
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    monkeypatch.setenv("HOME", "/home/x")
    assert data_folder() == Path("/home/x/.local/share/taiji")
