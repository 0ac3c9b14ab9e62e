"""The command line: one small file a subcommand, loaded when it is called."""

from __future__ import annotations

import click

from taiji.cli.lazy import LazyGroup

__all__ = ["COMMANDS", "LazyGroup", "main", "program"]

COMMANDS: dict[str, tuple[str, str]] = {
    "games": ("taiji.cli.games", "list every game, its options and its editions"),
    "play": ("taiji.cli.play", "play in the terminal, against a person or the computer"),
    "show": ("taiji.cli.show", "draw a position, a game or a record"),
    "render": ("taiji.cli.render", "draw positions and records as pictures, and sheets to print"),
    "replay": ("taiji.cli.replay", "check records and say how the games ended"),
    "convert": ("taiji.cli.convert", "convert games from and to other formats"),
    "perft": ("taiji.cli.perft", "count the sequences of moves of a game"),
    "solve": ("taiji.cli.solve", "solve a position exactly"),
    "analyse": ("taiji.cli.analyse", "say what a player thinks of a position or of a game"),
    "arena": ("taiji.cli.arena", "let players meet and say who is stronger"),
    "tournament": ("taiji.cli.tournament", "run a tournament of people or of engines"),
    "train": ("taiji.cli.train", "train a net by self-play"),
    "bench": ("taiji.cli.bench", "measure the speed of playouts, search and solver"),
    "engine": ("taiji.cli.engine", "speak UGI on standard input and output"),
    "serve": ("taiji.cli.serve", "play in the browser: alone, on one screen, or by a link"),
    "bot": ("taiji.cli.bot", "let a player take part on a server"),
}
"""Each subcommand: the module whose `command` it is, and the line that `taiji --help` shows of it."""


@click.group(
    cls=LazyGroup, commands_by_name=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(package_name="taiji", message="%(prog)s %(version)s")
def program() -> None:
    """Play, check, analyse and host the games of the TAIJI family.

    Every command explains itself: `taiji COMMAND --help`.
    """


def main() -> None:
    """Runs the program; this is the `taiji` command."""
    program(prog_name="taiji")
