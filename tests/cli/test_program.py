"""The program as a whole: its help, its speed, and errors that are one line."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import click
import pytest
from click.testing import CliRunner

import taiji.cli
from taiji.cli import COMMANDS
from taiji.cli.lazy import LazyGroup
from tests.waiting import PATIENCE_S

PROGRAM = [sys.executable, "-c", "from taiji.cli import main; main()"]
INFRASTRUCTURE = {"__init__", "errors", "lazy"}


@click.command("break")
@click.argument("error")
def breaking(error: str) -> None:
    """Raise the error with this name."""
    errors: dict[str, Exception] = {
        "value": ValueError("row 12 is not\non the board"),
        "file": FileNotFoundError(2, "No such file or directory", "game.tji"),
        "text": UnicodeDecodeError("utf-8", b"a\xff", 1, 2, "invalid start byte"),
        "click": click.ClickException("no"),
        "bug": RuntimeError("a bug"),
    }
    raise errors[error]


@pytest.fixture
def group(monkeypatch: pytest.MonkeyPatch) -> LazyGroup:
    module = ModuleType("breaking")
    module.command = breaking  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "breaking", module)
    return LazyGroup("taiji", commands_by_name={"break": ("breaking", "raises an error")})


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *arguments], capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )


def test_the_table_lists_every_command_file() -> None:
    files = {path.stem for path in Path(taiji.cli.__path__[-1]).glob("*.py")} - INFRASTRUCTURE
    assert {module.removeprefix("taiji.cli.") for module, _ in COMMANDS.values()} == {
        stem for stem in files if not stem.startswith("_")
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_keep_their_lines(name: str) -> None:
    result = CliRunner().invoke(taiji.cli.program, [name, "--help"])
    assert "\\b" not in result.output


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_file_holds_a_command_with_an_example(name: str) -> None:
    command = import_module(COMMANDS[name][0]).command
    assert isinstance(command, click.Command)
    result = CliRunner().invoke(command, ["--help"], prog_name=f"taiji {name}")
    assert result.exit_code == 0
    assert f"taiji {name}" in result.output.split("Usage:", 1)[1].split("\n", 1)[1], "help shows an example"


@pytest.mark.parametrize("arguments", [[], *([name] for name in COMMANDS)], ids=" ".join)
def test_help_is_quick(arguments: list[str]) -> None:
    def seconds() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert run(*arguments, "--help").returncode == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    # Processor time, and the best of a few: other work on the machine makes it only slower.
    limit = 0.3
    assert any(seconds() < limit for _ in range(5))


def test_help_names_every_command() -> None:
    result = run("--help")
    assert result.returncode == 0
    assert all(f"  {name} " in result.stdout for name in COMMANDS)


def test_version() -> None:
    assert run("--version").stdout == f"taiji {taiji.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["nonsense"], "taiji: no such command 'nonsense' (see taiji --help)"),
        (["--nonsense"], "taiji: no such option '--nonsense' (see taiji --help)"),
        (["slove"], "taiji: no such command 'slove' (did you mean solve? see taiji --help)"),
        (
            ["bench", "serch"],
            "taiji bench: no such command 'serch' (did you mean search? see taiji bench --help)",
        ),
        (
            ["arena", "--pars"],
            "taiji arena: no such option '--pars' (did you mean --pairs? see taiji arena --help)",
        ),
    ],
)
def test_bad_usage_is_one_line(arguments: list[str], line: str) -> None:
    result = run(*arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr == line + "\n"


@pytest.mark.parametrize(
    ("error", "line"),
    [
        ("value", "taiji: row 12 is not on the board"),
        ("file", "taiji: game.tji: No such file or directory"),
        ("text", "taiji: not UTF-8 text: byte 1 is 0xff"),
        ("click", "taiji: no"),
    ],
)
def test_bad_input_is_one_line(group: LazyGroup, error: str, line: str) -> None:
    result = CliRunner().invoke(group, ["break", error])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == line + "\n"


def test_a_bug_is_not_hidden(group: LazyGroup) -> None:
    assert isinstance(CliRunner().invoke(group, ["break", "bug"]).exception, RuntimeError)


def test_a_traceback_can_be_asked_for(group: LazyGroup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAIJI_TRACEBACK", "1")
    assert isinstance(CliRunner().invoke(group, ["break", "value"]).exception, ValueError)


def test_a_reader_that_leaves_is_no_error() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as closed:
        result = subprocess.run(
            [*PROGRAM, "--help"], stdout=closed, stderr=subprocess.PIPE, text=True, check=False
        )
    assert result.returncode == 1
    assert result.stderr == ""
