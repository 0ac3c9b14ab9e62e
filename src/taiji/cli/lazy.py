"""A command group that imports a subcommand only when it runs, and reports every error as one line."""

from __future__ import annotations

import os
import re
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

import click

from taiji.cli._interrupts import EXIT_INTERRUPTED
from taiji.cli._output import prepare_streams
from taiji.cli.errors import EXIT_BAD_INPUT, one_line_errors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from click.shell_completion import CompletionItem

EXIT_BROKEN_PIPE = 1


class LazyGroup(click.Group):
    """A group of subcommands, each given by the module that defines it as `command` and a line of help."""

    def __init__(self, *args: Any, commands_by_name: Mapping[str, tuple[str, str]], **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._modules = commands_by_name

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the names in the order of the table."""
        return [*self._modules, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a subcommand and return the command."""
        if cmd_name not in self._modules:
            return super().get_command(ctx, cmd_name)
        command = import_module(self._modules[cmd_name][0]).command
        assert isinstance(command, click.Command)
        _prepare_help(command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Offer the subcommands from the table, without importing anything, and the options."""
        from click.shell_completion import CompletionItem

        offers = [
            CompletionItem(name, help=line)
            for name, (_, line) in self._modules.items()
            if name.startswith(incomplete)
        ]
        return [*offers, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the lines of help from the table, without importing anything."""
        rows = [(name, line) for name, (_, line) in self._modules.items()]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the subcommand; report bad input as one line."""
        with one_line_errors():
            return super().invoke(ctx)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the program and exit with its status."""
        prepare_streams()
        if os.environ.get("NO_COLOR"):
            extra.setdefault("color", False)
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        try:
            status = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
            sys.stdout.flush()
        except click.exceptions.NoArgsIsHelpError as error:
            error.show()
            sys.exit(EXIT_BAD_INPUT)
        except click.ClickException as error:
            _fail(error)
        except (click.Abort, KeyboardInterrupt):
            sys.exit(EXIT_INTERRUPTED)
        except BrokenPipeError:
            # The reader has closed the pipe: redirect stdout, or the interpreter's last flush fails.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(EXIT_BROKEN_PIPE)
        sys.exit(status if isinstance(status, int) else 0)


def _prepare_help(command: click.Command) -> None:
    r"""Replace `\b` in a raw docstring by click's mark for a paragraph that keeps its lines.

    A subcommand gets the line that the list of its group shows.
    """
    command.help = (command.help or "").replace("\\b\n", "\b\n") or None
    for inner in command.commands.values() if isinstance(command, click.Group) else ():
        _prepare_help(inner)
        inner.short_help = inner.short_help or _first_clause(inner.help or "")


def _first_clause(text: str) -> str:
    """Return the beginning of a help text for the list of its group, which click would cut at any word."""
    first = re.split(r"[.:;,](?:\s|$)", text.strip(), maxsplit=1)[0]
    return _lower(" ".join(first.split()))


def _fail(error: click.ClickException) -> NoReturn:
    """Print an error as one line on stderr, with the command and where its help is, and exit."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    where = context.command_path if context else "taiji"
    guessed = error.message.startswith("No such ")  # click would add its guess in other words
    message = " ".join((error.message if guessed else error.format_message()).split())
    if context:
        text = _lower(message.removesuffix("."))
        opening = f"{text[:-1]}; " if text.endswith(")") else f"{text} ("
        message = f"{opening}{_suggestion(error)}see {where} --help)"
    click.echo(f"{where}: {message}", err=True)
    sys.exit(EXIT_BAD_INPUT)


def _lower(message: str) -> str:
    """Start a message of click with a small letter, as ours start."""
    first = message.split(" ", 1)[0]
    return message[:1].lower() + message[1:] if first.istitle() else message


def _suggestion(error: click.ClickException) -> str:
    from taiji.rules.errors import suggestion

    if isinstance(error, click.NoSuchOption):
        return f"did you mean {error.possibilities[0]}? " if error.possibilities else ""
    match = re.fullmatch(r"No such command '(.*)'\.?", error.message)
    context = error.ctx if isinstance(error, click.UsageError) else None
    if match and context and isinstance(context.command, click.Group):
        return suggestion(match[1], context.command.list_commands(context))
    return ""
