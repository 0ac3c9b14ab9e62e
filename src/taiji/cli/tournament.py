"""`taiji tournament`: organise tournaments of people, and run tournaments of engines."""

from __future__ import annotations

import click

from taiji.cli.lazy import LazyGroup

COMMANDS: dict[str, tuple[str, str]] = {
    "new": ("taiji.cli.tournaments.new", "create a tournament in a new file"),
    "join": ("taiji.cli.tournaments.join", "enter players, also late"),
    "withdraw": ("taiji.cli.tournaments.withdraw", "withdraw players, let them rejoin, or give a bye"),
    "pair": ("taiji.cli.tournaments.pair", "pair the next round"),
    "result": ("taiji.cli.tournaments.result", "enter a result, a forfeit or a correction"),
    "standings": ("taiji.cli.tournaments.standings", "print standings, cross table or a round"),
    "log": ("taiji.cli.tournaments.log", "print the audit log"),
    "export": ("taiji.cli.tournaments.export", "write text, HTML, PDF, CSV or TRF16"),
    "import": ("taiji.cli.tournaments.import_", "create a tournament from a TRF16 or CSV file"),
    "run": ("taiji.cli.tournaments.run", "play a tournament of engines"),
}


@click.group(
    cls=LazyGroup,
    commands_by_name=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: taiji tournament new club.tour --game nestorgames-7x7 --format swiss",
)
def command() -> None:
    """Run a tournament of people or of engines.

    A tournament is one file, and every command appends one line to it, so that no entry is ever lost.
    """
