"""`taiji play` by pipes: every game to its end, bad arguments in one line, clean ends whatever happens."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import pytest

from taiji.rules import GAMES
from taiji.terminal.saves import Saves
from tests.cli.run import refusal
from tests.notation.games import random_game
from tests.waiting import PATIENCE_S, wait_until

PROGRAM = [sys.executable, "-c", "from taiji.cli import main; main()"]


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "XDG_DATA_HOME": str(folder), "TERM": "dumb", "NO_COLOR": "1"}


def play(folder: Path, *arguments: str, lines: str = "") -> subprocess.CompletedProcess[str]:
    command = [*PROGRAM, "play", *arguments]
    return subprocess.run(
        command,
        input=lines,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
        env=environment(folder),
    )


@pytest.mark.parametrize("text", GAMES)
def test_a_pipe_plays_every_game_to_its_end(text: str, tmp_path: Path) -> None:
    moves, _ = random_game(text, seed=8)
    lines = "".join(f"{move!s}\n" for move in moves)
    result = play(tmp_path, "--plain", text, lines=lines)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    assert "The game is over" in result.stdout
    assert "\x1b" not in result.stdout, "no colours where none are wanted"


def test_without_a_terminal_lines_are_used(tmp_path: Path) -> None:
    result = play(tmp_path, "taiji:size=3", "--light", "random", "--dark", "level:1", "--seed", "1")
    assert result.returncode == 0, result.stderr
    assert "The game is over" in result.stdout


def test_the_end_of_the_input_saves(tmp_path: Path) -> None:
    result = play(tmp_path, "taiji:size=3", lines="a1/a2\n")
    assert result.returncode == 0
    assert result.stdout.endswith("The game is saved. Resume it with: taiji play --resume\n")
    again = play(tmp_path, "--resume", lines="b1/b2\nb3/c3\nc1/c2\n")
    assert "The game continues after 1 move." in again.stdout
    assert "The game is over" in again.stdout
    assert Saves(tmp_path / "taiji").unfinished() == []


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], TextIO, TextIO]]:
    """Start the program, and hand out its input and its output."""
    pipe = subprocess.PIPE
    command = [*PROGRAM, "play", *arguments]
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment(folder)
    ) as process:
        assert process.stdin
        assert process.stdout
        yield process, process.stdin, process.stdout


def type_and_wait_for_the_save(folder: Path, keyboard: TextIO, line: str) -> None:
    keyboard.write(f"{line}\n")
    keyboard.flush()
    wait_until(lambda: list(folder.glob("taiji/saves/*.tji")), "nothing was saved")


def test_a_reader_that_leaves_is_no_trouble(tmp_path: Path) -> None:
    with started(tmp_path, "taiji:size=4") as (process, keyboard, screen):
        type_and_wait_for_the_save(tmp_path, keyboard, "a1/a2")
        screen.close()
        keyboard.write("b1/b2\n")
        keyboard.flush()
        assert process.wait(PATIENCE_S) == 1
        assert process.stderr
        assert process.stderr.read() == ""
    (saved,) = Saves(tmp_path / "taiji").unfinished()
    assert saved.records[-1].moves[0] == "a1/a2"


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_signals_leave_cleanly_with_the_game_saved(number: int, status: int, tmp_path: Path) -> None:
    with started(tmp_path, "taiji:size=4") as (process, keyboard, _):
        type_and_wait_for_the_save(tmp_path, keyboard, "a1/a2")
        process.send_signal(number)
        assert process.wait(PATIENCE_S) == status
        assert process.stderr
        assert "Traceback" not in process.stderr.read()
    assert len(Saves(tmp_path / "taiji").unfinished()) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chess"], "unknown game 'chess'"),
        (["taiji", "--dark", "nobody"], "unknown player 'nobody'"),
        (["taiji", "--dark", "level:11"], "a number from 1 to 10"),
        (["taiji", "--clock", "soon"], "such as 10+5"),
        (["--dark", "random"], "give a game too"),
        (["--resume", "taiji"], "leave out taiji"),
        (["--resume"], "no unfinished game found"),
        (["nowhere.tji"], "No such file"),
    ],
)
def test_bad_arguments_are_one_line(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert said in refusal("play", *arguments)


def test_a_record_is_gone_on_with(tmp_path: Path) -> None:
    record = tmp_path / "game.tji"
    record.write_text('[Game "taiji:size=3"]\n[Light "Ann"]\n[Dark "random"]\n\n1. a1/a2 *\n')
    result = play(tmp_path, str(record), lines="quit\n")
    assert "Light: person, Dark: random." in result.stdout
    assert record.read_text().endswith("1. a1/a2 *\n"), "the file itself stays as it is"


def test_a_record_that_begins_with_a_position_is_gone_on_with(tmp_path: Path) -> None:
    record = tmp_path / "game.tji"
    record.write_text('[Game "taiji:size=3"]\n[Position "tji1 taiji:size=3 a1/a2 dark -"]\n\n1. b1/b2 *\n')
    result = play(tmp_path, str(record), lines="b3/c3\n")
    assert "(b3/c3)" in result.stdout, result.stdout
    again = play(tmp_path, "--resume", lines="position\n")
    assert "a1/a2,b1/b2" in again.stdout


OWN = """
name = "own-pairs"
board = ["...", "...", "..."]
pieces = [{ kind = "pair", shape = ["ld"], count = 4 }]
"""


def test_a_game_of_ones_own_is_there_again(tmp_path: Path) -> None:
    declared = tmp_path / "own.toml"
    declared.write_text(OWN)
    play(tmp_path, str(declared), lines="a1/a2\n")
    again = play(tmp_path, "--resume", lines="record\n")
    assert "own-pairs. Light: person, Dark: person." in again.stdout, again.stderr
    assert "1. a1/a2" in again.stdout
