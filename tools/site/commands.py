"""The reference of the command line, from the commands: help, arguments, options, and their JSON."""

from __future__ import annotations

import contextlib
import inspect
import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner
from tools.site import DOCS

from taiji.cli import program

EXAMPLES = {
    "games": "games --json",
    "players": "players --json",
    "show": "show taiji.tji --ply 6 --json",
    "replay": "replay taiji.tji --json",
    "convert": "convert taiji.tji games.jsonl --json",
    "perft": "perft taiji:size=4 3 --json",
    "solve": "solve taiji:size=3 --json",
    "analyse": "analyse taiji:size=5 --player mcts --playouts 300 --json",
    "review": "review taiji-tie.tji --player mcts --playouts 50 --json",
    "arena": "arena greedy random --game taiji:size=4 --pairs 2 --json",
    "tournament new": "tournament new club.tour --name Club --game taiji:size=7 --json",
    "tournament join": "tournament join club.tour Ann Bob --json",
    "tournament pair": "tournament pair club.tour --json",
    "tournament result": "tournament result club.tour 1 13-12 11-14 --json",
    "tournament standings": "tournament standings club.tour --json",
    "tournament withdraw": "tournament withdraw club.tour Bob --json",
    "tournament log": "tournament log club.tour --json",
    "tournament import": "tournament import copy.tour club.trf --game taiji:size=7 --json",
    "tournament run": "tournament run engines.toml --json",
    "explore position": "explore position taiji:size=7 --book books/taiji-7.book --limit 2 --json",
    "puzzle list": "puzzle list --json",
    "puzzle show": "puzzle show taiji-7-1-2 --json",
    "bench": "bench --json",
    "bench puct": "bench puct --json",
    "bench search": "bench search taiji:size=7 --playouts 2000 --json",
    "bench playouts": "bench playouts taiji:size=7 --seconds 0.05 --json",
}
"""A quick run of each command with JSON, in this order, in a folder with the examples of the rules."""
PREPARATIONS = {
    "tournament import": "tournament export club.tour club.trf",
    "explore position": "explore build taiji.tji -o books --min-games 1",
}
"""What has to run before an example."""
WITHOUT_EXAMPLE = {"puzzle check": "it proves every puzzle, for minutes", "admin list": "it needs accounts",
                   "admin log": "it needs accounts", "admin reports": "it needs accounts",
                   **dict.fromkeys(("study run", "study report", "study balance"), "see docs/study.md"),
                   **dict.fromkeys(("study openings", "study compare"), "see docs/study.md")}  # fmt: skip
"""Commands with JSON that the reference does not show, and why."""
ENGINES = """\
game = "taiji:size=4"
format = "match"

[[player]]
player = "greedy"

[[player]]
player = "random"
"""
MAX_ITEMS, MAX_TEXT, MAX_LINES = 2, 60, 60

INTRODUCTION = """\
# Commands and their JSON

Every command of `taiji`, generated from the program when this site was built: what `--help` says, and what
`--json` prints, long lists and texts cut. [The command line](../cli.md) explains what scripts may depend on.

"""


Named = tuple[tuple[str, ...], click.Command]
"""A command and its name, word by word."""


def page() -> str:
    """Return the page."""
    outputs = _outputs()
    found = named_commands()
    return INTRODUCTION + "\n".join(
        _command(names, one, outputs.get(" ".join(names))) for names, one in found
    )


def named_commands() -> Iterator[Named]:
    """Return every command and subcommand."""
    return _walk(program, click.Context(program, info_name="taiji"))


def _walk(group: click.Group, context: click.Context, *above: str) -> Iterator[Named]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or command.hidden:
            continue
        names = (*above, name)
        yield names, command
        if isinstance(command, click.Group):
            yield from _walk(command, click.Context(command, context, name), *names)


def _command(names: tuple[str, ...], command: click.Command, output: str | None) -> str:
    title = f"taiji {' '.join(names)}"
    parts = [f"{'#' * (1 + len(names))} `{title}`\n", _help(command.help or command.short_help or "")]
    if not isinstance(command, click.Group) or command.invoke_without_command:
        usage = command.get_usage(click.Context(command, info_name=title)).removeprefix("Usage: ")
        parts.append(f"```text\n{' '.join(usage.split())}\n```\n")
        parts.append(_options(command))
    if command.epilog:
        parts.append(_help(command.epilog))
    if output:
        parts.append(f"```console\n$ taiji {EXAMPLES[' '.join(names)]}\n{output}\n```\n")
    return "\n".join(part for part in parts if part)


def _help(text: str) -> str:
    """Return a help text as Markdown: paragraphs that keep their lines become code."""
    shown = []
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        if paragraph.startswith("\b\n"):
            lines = paragraph.removeprefix("\b\n").splitlines()
            head = [lines.pop(0)] if lines and lines[0].rstrip().endswith(":") else []
            shown += [*head, "```text\n" + "\n".join(line.removeprefix("  ") for line in lines) + "\n```"]
        elif paragraph.startswith(("Example:", "Examples:")):
            label, _, rest = paragraph.partition(":")
            shown += [f"{label}:", f"```text\n{' '.join(rest.split())}\n```"]
        else:
            shown.append(" ".join(paragraph.split()).replace("<", "&lt;"))
    return "\n\n".join(shown) + "\n" if text else ""


def _options(command: click.Command) -> str:
    rows = []
    context = click.Context(command)
    for parameter in command.params:
        record = parameter.get_help_record(context) if isinstance(parameter, click.Option) else None
        if record:
            rows.append(f"| `{_code(record[0])}` | {_cell(record[1])} |")
        elif isinstance(parameter, click.Argument):
            required = "required" if parameter.required else "optional"
            rows.append(f"| `{_code(parameter.make_metavar(context))}` | {required} |")
    return "\n".join(["| | |", "|---|---|", *rows, ""]) if rows else ""


def _code(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _cell(text: str) -> str:
    return _code(text).replace("[", "\\[").replace("<", "&lt;")


def _outputs() -> dict[str, str]:
    """Run the examples; return the output of each, shortened."""
    found = {}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for path in (DOCS / "rules" / "examples").iterdir():
            shutil.copy(path, Path(folder))
        Path("engines.toml").write_text(ENGINES)
        for name, line in EXAMPLES.items():
            if name in PREPARATIONS:
                _run(PREPARATIONS[name])
            values = [json.loads(text) for text in _run(line).splitlines()]
            found[name] = _shortened(values[-1])
    return found


def _run(line: str) -> str:
    result = CliRunner().invoke(program, line.split(), prog_name="taiji", catch_exceptions=False)
    if result.exit_code:
        raise ValueError(f"taiji {line}: exit status {result.exit_code}: {result.stderr.strip()}")
    return result.stdout


def _shortened(value: Any) -> str:
    lines = json.dumps(_short(value), indent=1, ensure_ascii=False).splitlines()
    return "\n".join(lines if len(lines) <= MAX_LINES else [*lines[:MAX_LINES], "…"])


def _short(value: Any) -> Any:
    """Return a value with its long lists and texts cut."""
    if isinstance(value, dict):
        return {key: _short(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_short(inner) for inner in value[:MAX_ITEMS]] + (["…"] if len(value) > MAX_ITEMS else [])
    if isinstance(value, float):
        return round(value, 4)
    return f"{value[:MAX_TEXT]}…" if isinstance(value, str) and len(value) > MAX_TEXT else value
