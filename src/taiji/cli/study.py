"""`taiji study`: measure how fair a game is, find balanced openings, compare two rule sets."""

from __future__ import annotations

import click

from taiji.cli.lazy import LazyGroup

COMMANDS: dict[str, tuple[str, str]] = {
    "balance": ("taiji.cli.studies.balance", "first-player advantage, ties, margins and fair komi of games"),
    "openings": ("taiji.cli.studies.openings", "find balanced openings of a game"),
    "compare": ("taiji.cli.studies.compare", "put two rule sets side by side"),
    "run": ("taiji.cli.studies.run", "run a study that a TOML file declares"),
    "report": ("taiji.cli.studies.report", "write the report of a study again"),
}


@click.group(
    cls=LazyGroup,
    commands_by_name=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: taiji study balance taiji:size=7 --minutes 5",
)
def command() -> None:
    """Study games by engine games: how fair they are, and how that changes with playing strength.

    A study is a folder: the games, a summary as JSON, and one HTML page. The same command resumes it.
    """
