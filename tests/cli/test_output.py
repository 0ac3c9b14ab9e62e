"""Colours only where they are wanted, ASCII where UTF-8 is not understood, custom games everywhere."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from taiji import cli
from taiji.rules import Game, game_from_toml
from tests.cli.base_cases import OWN_GAME, write_files
from tests.cli.run import refusal, taiji

PROGRAM = [sys.executable, "-c", "from taiji.cli import main; main()"]


def on_a_terminal(arguments: list[str], **environment: str) -> bytes:
    """Run the program with a terminal as stdout and return what it wrote."""
    ours, theirs = pty.openpty()
    base = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    process = subprocess.Popen(
        [*PROGRAM, *arguments], stdout=theirs, env={**base, "TERM": "xterm-256color", **environment}
    )
    os.close(theirs)
    written = b""
    try:
        while data := os.read(ours, 65536):
            written += data
    except OSError:
        pass
    assert process.wait() == 0
    os.close(ours)
    return written


@pytest.mark.parametrize("arguments", [["games"], ["show", "taiji:size=3"]], ids=" ".join)
def test_no_color_is_respected(arguments: list[str]) -> None:
    assert b"\x1b[" in on_a_terminal(arguments)
    assert b"\x1b[" not in on_a_terminal(arguments, NO_COLOR="1")


@pytest.mark.parametrize("encoding", ["ascii", "iso-8859-1"])
@pytest.mark.parametrize("arguments", ["games", "show taiji:size=3", "show --help", "players", "shw ×"])
def test_a_terminal_without_utf_8_gets_characters_that_it_has(encoding: str, arguments: str) -> None:
    done = subprocess.run(
        [*PROGRAM, *arguments.split()],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
        check=False,
    )
    assert done.returncode in (0, 2)
    assert b"Traceback" not in done.stderr
    (done.stdout + done.stderr).decode(encoding)
    assert "\xe2" not in (done.stdout + done.stderr).decode("iso-8859-1"), "no UTF-8"


@pytest.mark.parametrize("arguments", ["show taiji:size=3", "puzzle show taiji-7-1-2", "players"])
def test_a_terminal_of_the_c_locale_gets_ascii_but_a_pipe_keeps_utf_8(arguments: str) -> None:
    words = arguments.split()
    assert on_a_terminal(words, LC_ALL="C").isascii()
    assert not on_a_terminal(words, LC_ALL="C.UTF-8").isascii()
    piped = subprocess.run(
        [*PROGRAM, *words], capture_output=True, env={**os.environ, "LC_ALL": "C"}, check=True
    )
    assert not piped.stdout.isascii()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("taiji.rules.catalogue._registered", {})
    return tmp_path


@pytest.mark.parametrize("option", ["--game", "--game-file"])
@pytest.mark.parametrize(
    "arguments",
    [
        "show corner.tji",
        "replay corner.tji",
        "solve corner.tji",
        "analyse corner.tji --playouts 20",
        "render corner.tji -o out.svg",
        "convert corner.tji out.jsonl",
        "perft corner 2",
        "bench search corner --playouts 50",
    ],
)
def test_a_custom_game_works_in_every_command(folder: Path, option: str, arguments: str) -> None:
    result = taiji(*arguments.split(), option, "corner.toml")
    assert result.exit_code == 0, result.output


def test_a_declared_game_is_passed_on_to_the_arena(folder: Path) -> None:
    common = ["arena", "random", "greedy", "--pairs", "1", "--json"]
    by_file = taiji(*common, "--game", "corner.toml")
    by_name = taiji(*common, "--game-file", "corner.toml", "--game", "corner")
    assert by_file.exit_code == by_name.exit_code == 0, by_name.output
    assert by_file.stdout == by_name.stdout


def test_the_game_may_be_an_argument_or_an_option_but_not_both() -> None:
    assert taiji("show", "--game", "taiji:size=3").stdout == taiji("show", "taiji:size=3").stdout
    assert taiji("perft", "--game", "taiji:size=3", "2").stdout == taiji("perft", "taiji:size=3", "2").stdout
    assert "names the game already" in refusal("show", "taiji", "--game", "tailits")
    assert "nothing to do" in refusal("solve")


def test_the_server_lists_a_declared_game(folder: Path) -> None:
    pytest.importorskip("fastapi")
    from taiji.cli._games import load_declaration
    from taiji.server.domain.game_definition import catalogue, game_definition

    load_declaration(Path("corner.toml"))
    assert [game.name for game in catalogue().games][-1] == "corner"
    assert game_definition("corner").title == "corner"


def corner() -> Game:
    return game_from_toml(OWN_GAME)


def test_an_engine_process_of_the_server_knows_a_declared_game(folder: Path) -> None:
    request = (
        '{"do": "move", "player": "random", "game": "corner", "start": null, "moves": [], "seconds": 1}\n'
    )
    done = subprocess.run(
        [sys.executable, "-m", "taiji.server.jobs.engine_worker", "4096"],
        input=request,
        env={**os.environ, "TAIJI_GAME_FILES": str(folder / "corner.toml")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["candidates"][0]["text"] in {
        str(move) for move in corner().start().legal()
    }


def test_json_for_stdout_is_escaped_by_one_function() -> None:
    """A name that the terminal cannot show must not become a question mark in JSON."""
    folder = Path(cli.__file__).parent
    writers = {path.name for path in folder.rglob("*.py") if "json.dumps(" in path.read_text()}
    assert writers == {"_output.py", "export.py"}, "export writes a file"
