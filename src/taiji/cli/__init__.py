"""The command line: one small file per subcommand, imported when it is called."""

from __future__ import annotations

import os
import sys

import click

from taiji.cli import _interrupts
from taiji.cli.lazy import LazyGroup

__all__ = ["COMMANDS", "LazyGroup", "main", "program"]

COMMANDS: dict[str, tuple[str, str]] = {
    "games": ("taiji.cli.games", "list every game, its options and its editions"),
    "players": ("taiji.cli.players", "list the computer players"),
    "play": ("taiji.cli.play", "play in the terminal, against a person or the computer"),
    "show": ("taiji.cli.show", "draw a position, a game or a record"),
    "render": ("taiji.cli.render", "draw positions and records as pictures, and print-and-play sheets"),
    "replay": ("taiji.cli.replay", "check records and print the results"),
    "convert": ("taiji.cli.convert", "convert games from and to other formats"),
    "perft": ("taiji.cli.perft", "count the move sequences of a game"),
    "solve": ("taiji.cli.solve", "solve a position exactly"),
    "analyse": ("taiji.cli.analyse", "evaluate a position, or every position of a record"),
    "review": ("taiji.cli.review", "evaluate every move of a game"),
    "puzzle": ("taiji.cli.puzzle", "solve, make and check proven puzzles"),
    "explore": ("taiji.cli.explore", "show what is known of an opening"),
    "study": ("taiji.cli.study", "measure how fair a game is, find openings, compare rules"),
    "arena": ("taiji.cli.arena", "play games between players and estimate Elo"),
    "tournament": ("taiji.cli.tournament", "run a tournament of people or of engines"),
    "train": ("taiji.cli.train", "train a net by self-play"),
    "bench": ("taiji.cli.bench", "measure the speed of playouts, search and solver"),
    "engine": ("taiji.cli.engine", "run as a UGI engine on standard input and output"),
    "serve": ("taiji.cli.serve", "play in the browser: alone, on the same device, or by a link"),
    "engines": ("taiji.cli.engines", "compute for servers that share a bus"),
    "admin": ("taiji.cli.admin", "list and moderate the accounts of a server"),
    "backup": ("taiji.cli.backup", "copy the database of a server, also while it runs"),
    "restore": ("taiji.cli.restore", "fill an empty database with a backup"),
    "check": ("taiji.cli.check", "check the stored events of a server"),
    "bot": ("taiji.cli.bot", "connect a player to a server as a bot"),
    "completion": ("taiji.cli.completion", "print a script for bash, zsh or fish that completes words"),
}
"""Each subcommand: the module that defines it as `command`, and its line in `taiji --help`."""


@click.group(
    cls=LazyGroup, commands_by_name=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(package_name="taiji", message="%(prog)s %(version)s")
def program() -> None:
    """Play, check, analyse and host the games of the TAIJI family.

    Every command explains itself: `taiji COMMAND --help`.
    """


_HANDLE_SIGNALS = frozenset({"play", "serve", "engine", "engines", "bot"})
"""Commands that end in their own way on Ctrl-C."""


def main() -> None:
    """Run the program: the entry point of the `taiji` script."""
    if not _HANDLE_SIGNALS.intersection(sys.argv[1:2]):
        _interrupts.end_on_interrupt()
    if "_TAIJI_COMPLETE" in os.environ:
        from taiji.cli._shells import register_shells

        register_shells()
    try:
        program(prog_name="taiji")
    except SystemExit as ended:
        if ended.code == _interrupts.EXIT_INTERRUPTED and _interrupts.has_running_threads():
            _interrupts.leave()
        raise
