"""A command group that imports a subcommand only when it runs, and reports every error as one line."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

import click

from taiji.cli._interrupts import EXIT_INTERRUPTED
from taiji.cli.errors import EXIT_BAD_INPUT, one_line_errors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
        _keep_lines(command)
        return command

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


def _keep_lines(command: click.Command) -> None:
    r"""Replace `\b` in a raw docstring by click's mark for a paragraph that keeps its lines."""
    command.help = (command.help or "").replace("\\b\n", "\b\n") or None
    for inner in command.commands.values() if isinstance(command, click.Group) else ():
        _keep_lines(inner)


def _fail(error: click.ClickException) -> NoReturn:
    """Print an error as one line on stderr, with the command and where its help is, and exit."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    where = context.command_path if context else "taiji"
    message = " ".join(error.format_message().split())
    hint = f" (see {where} --help)" if context else ""
    click.echo(f"{where}: {message}{hint}", err=True)
    sys.exit(EXIT_BAD_INPUT)
