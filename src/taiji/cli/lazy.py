"""A command group that imports a subcommand only to run it, and shows every error as one line."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

import click

from taiji.cli.errors import EXIT_BAD_INPUT, one_line_errors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 1


class LazyGroup(click.Group):
    """Subcommands by name: the module that holds each as `command`, and its line of help."""

    def __init__(self, *args: Any, commands_by_name: Mapping[str, tuple[str, str]], **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._modules = commands_by_name

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Lists the names in the order of the table."""
        return [*self._modules, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Imports a subcommand's module."""
        if cmd_name not in self._modules:
            return super().get_command(ctx, cmd_name)
        command = import_module(self._modules[cmd_name][0]).command
        assert isinstance(command, click.Command)
        _keep_lines(command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the table's lines of help; nothing is imported."""
        rows = [(name, line) for name, (_, line) in self._modules.items()]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the subcommand; what bad input raises becomes one line."""
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
        """Runs the program and leaves with its exit status."""
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
            # The reader has gone: point stdout elsewhere, or the interpreter's last flush complains.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(EXIT_BROKEN_PIPE)
        sys.exit(status if isinstance(status, int) else 0)


def _keep_lines(command: click.Command) -> None:
    r"""Put click's mark for a paragraph that keeps its lines where a raw docstring spells it as `\b`."""
    command.help = (command.help or "").replace("\\b\n", "\b\n") or None
    for inner in command.commands.values() if isinstance(command, click.Group) else ():
        _keep_lines(inner)


def _fail(error: click.ClickException) -> NoReturn:
    """Shows an error as one line on stderr: which command, what is wrong and where to look."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    where = context.command_path if context else "taiji"
    message = " ".join(error.format_message().split())
    hint = f" (see {where} --help)" if context else ""
    click.echo(f"{where}: {message}{hint}", err=True)
    sys.exit(EXIT_BAD_INPUT)
