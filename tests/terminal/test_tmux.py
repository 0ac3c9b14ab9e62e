"""The program in a real terminal: played by keys from start to end against a level, killed, resized, left."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from taiji.terminal.saves import Saves
from tests.waiting import PATIENCE_S, wait_until

PROGRAM = [sys.executable, "-c", "from taiji.cli import main; main()"]


class Terminal:
    """A terminal in a tmux server of its own."""

    def __init__(self, socket: Path, data: Path, arguments: list[str], size: tuple[int, int]) -> None:
        self._socket = str(socket)
        self._data = data
        command = shlex.join(["env", f"XDG_DATA_HOME={data}", *PROGRAM, *arguments])
        shell = f"{command}; echo status $?; sleep 300"
        columns, rows = (str(length) for length in size)
        self.tmux("new-session", "-d", "-x", columns, "-y", rows, shell)

    def tmux(self, *arguments: str) -> str:
        environment = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", "TMUX": ""}
        environment.pop("NO_COLOR", None)
        done = subprocess.run(
            ["tmux", "-u", "-f", "/dev/null", "-S", self._socket, *arguments],
            capture_output=True, text=True, check=False, env=environment, timeout=PATIENCE_S,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    @property
    def screen(self) -> str:
        return self.tmux("capture-pane", "-p")

    def press(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)

    def wait(self, done: Callable[[str], bool]) -> str:
        """Wait until the screen is as wanted and return it."""
        end = time.monotonic() + PATIENCE_S
        screen = ""
        while time.monotonic() < end:
            screen = self.screen
            if done(screen):
                return screen
            time.sleep(0.1)
        raise AssertionError(f"waited for something else than:\n{screen}")

    @property
    def saves(self) -> list[Path]:
        return [saved.path for saved in Saves(self._data / "taiji").unfinished()]


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def open_terminal(*arguments: str, size: tuple[int, int] = (80, 24)) -> Terminal:
        # A socket must have a short path, and its own: a server that was killed may not have left it yet.
        found = Terminal(tmp_path / f"s{len(opened)}", tmp_path / "data", list(arguments), size)
        opened.append(found)
        return found

    yield open_terminal
    for found in opened:
        subprocess.run(["tmux", "-S", found._socket, "kill-server"], capture_output=True, check=False)


def test_a_whole_game_by_keys_against_a_level(terminal: Callable[..., Terminal]) -> None:
    table = terminal("play", "taiji:size=4", "--dark", "level:1", "--seed", "1")
    table.wait(lambda screen: "▶○ Light, you" in screen)
    for _ in range(8):
        table.press("c", "c", "Enter")
        screen = table.wait(lambda screen: "▶○ Light, you" in screen or "The game is over" in screen)
        if "The game is over" in screen:
            break
        time.sleep(0.3)
    table.wait(lambda screen: "The game is over" in screen)
    table.press("q")
    table.wait(lambda screen: "status 0" in screen)
    assert (table._data / "taiji" / "games.tji").read_text().count('[Dark "level:1"]') == 1
    assert table.saves == []


def test_ctrl_c_leaves_cleanly_with_the_game_saved(terminal: Callable[..., Terminal]) -> None:
    table = terminal("play", "taiji:size=4")
    table.wait(lambda screen: "Enter places it" in screen)
    table.press("Enter")
    table.wait(lambda screen: "1. " in screen)
    table.press("C-c")
    screen = table.wait(lambda screen: "status 0" in screen)
    assert "The game is saved. Resume it with: taiji play --resume" in screen
    assert "Traceback" not in screen
    assert len(table.saves) == 1


def test_a_killed_terminal_loses_nothing_and_a_resize_is_followed(terminal: Callable[..., Terminal]) -> None:
    table = terminal("play", "tailits", size=(100, 30))
    table.wait(lambda screen: "Enter places it" in screen)
    table.press("Enter")
    table.wait(lambda screen: "1. " in screen)
    table.tmux("resize-window", "-x", "60", "-y", "20")
    table.wait(lambda screen: "This board needs 79×24" in screen)
    table.tmux("resize-window", "-x", "90", "-y", "26")
    table.wait(lambda screen: "Enter places it" in screen)
    table.press("Enter")
    table.wait(lambda screen: "2. " in screen)
    table.tmux("kill-server")
    assert len(wait_until(lambda: table.saves, "nothing was saved")) == 1
    again = terminal("play", "--resume")
    screen = again.wait(lambda screen: "Enter places it" in screen)
    assert "2. " in screen, "both moves are there again"
