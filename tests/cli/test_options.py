"""Options: older spellings are still accepted, and `--help` lists only the current ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from taiji.cli import program
from taiji.cli._options import AliasedOption
from tests.cli.run import refusal, taiji
from tests.notation.games import HOLES

OLD = {
    "show": {"--number", "--counted", "--no-counted"},
    "render": {"--number"},
    "solve": {"--number"},
    "analyse": {"--number"},
    "replay": {"--game"},
    "review": {"--number", "--game"},
    "convert": {"--game", "--table"},
    "arena": {"--openings", "--boards"},
    "explore position": {"--number"},
    "explore build": {"--game"},
    "puzzle make": {"--from"},
    "train": {"--out"},
    "serve": {"--limit-scale"},
    "tournament new": {"--single"},
    "tournament import": {"--single"},
    "tournament standings": {"--cross"},
    "tournament withdraw": {"--back"},
}
RECORDS = '[Game "taiji:size=2"]\n\n1. a1/a2 *\n\n[Game "taiji:size=3"]\n\n1. a1/a2 b1/b2 *\n'


def commands(group: click.Group, path: str = "") -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield f"{path}{name}", command
        if isinstance(command, click.Group):
            yield from commands(command, f"{path}{name} ")


def aliases(command: click.Command) -> set[str]:
    options = [option for option in command.params if isinstance(option, AliasedOption)]
    return {alias for option in options for alias in (*option.aliases, *option.off_aliases)}


def test_every_older_spelling_is_accepted() -> None:
    assert {name: aliases(command) for name, command in commands(program) if aliases(command)} == OLD


@pytest.mark.parametrize("name", OLD)
def test_help_does_not_list_them(name: str) -> None:
    words = taiji(*name.split(), "--help").stdout.replace("/", " ").split()
    assert not OLD[name].intersection(words)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "games.tji"
    path.write_text(RECORDS)
    return str(path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (["--number", "2"], ["--game-number", "2"]),
        (["--no-counted"], ["--no-scoring-groups"]),
        (["--no-counted", "--counted"], ["--scoring-groups"]),
        (["--number=1", "--game-number=2"], ["--game-number", "2"]),
    ],
)
def test_both_spellings_mean_the_same(file: str, old: list[str], new: list[str]) -> None:
    result = taiji("show", file, *old)
    assert result.exit_code == 0
    assert result.stdout == taiji("show", file, *new).stdout


def test_the_options_do_something(file: str) -> None:
    plain = taiji("show", file).stdout
    assert taiji("show", file, "--number", "2").stdout != plain
    assert taiji("show", file, "--no-counted").stdout != plain


def test_custom_games_may_be_named_by_both_spellings_at_once(tmp_path: Path) -> None:
    paths = []
    for name in ("one", "two"):
        paths.append(tmp_path / f"{name}.toml")
        paths[-1].write_text(HOLES.replace("test-holes", f"test-{name}"))
    records = tmp_path / "games.tji"
    records.write_text('[Game "test-one"]\n\n*\n\n[Game "test-two"]\n\n*\n')
    result = taiji("replay", str(records), "--game", str(paths[0]), "--game-file", str(paths[1]))
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines() == [
        "1. test-one: ? v ?, 0 plies, not over, 0-0 so far",
        "2. test-two: ? v ?, 0 plies, not over, 0-0 so far",
    ]


def test_the_rows_of_a_table(file: str, tmp_path: Path) -> None:
    written = []
    for option in ("--table", "--rows"):
        target = tmp_path / f"{option.strip('-')}.csv"
        assert taiji("convert", file, str(target), option, "games").exit_code == 0
        written.append(target.read_text())
    assert written[0] == written[1]
    assert len(written[0].splitlines()) == 3, "a head and one row per game"


def test_every_option_explains_itself() -> None:
    silent = [
        f"{name} {option.opts[0]}"
        for name, command in commands(program)
        for option in command.params
        if isinstance(option, click.Option) and not option.hidden and not option.help
    ]
    assert silent == []


@pytest.mark.parametrize("number", ["nan", "inf", "0", "-1", "1e300", "soon"])
@pytest.mark.parametrize(
    "command",
    ["solve taiji --seconds", "study balance taiji:size=3 --minutes", "arena random greedy --seconds"],
)
def test_a_time_is_a_number_above_0(command: str, number: str) -> None:
    assert f"'{number}' (expected a number above 0, at most 1,000,000,000;" in refusal(
        *command.split(), number
    )
