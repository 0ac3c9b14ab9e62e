"""The reference of the command line, from the commands: help, arguments, options, and their JSON."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from typing import Any

import click
from tools.site import examples

from taiji.cli import program

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
    outputs = {name: _shortened(value) for name, value in examples.outputs().items()}
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
        parts.append(f"```console\n$ taiji {examples.EXAMPLES[' '.join(names)]}\n{output}\n```\n")
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
