"""`taiji tournament`: an organiser's desk, and tournaments of engines."""

from __future__ import annotations

import click

from taiji.cli.lazy import LazyGroup

COMMANDS: dict[str, tuple[str, str]] = {
    "new": ("taiji.cli.tournaments.new", "begin a tournament in a new file"),
    "join": ("taiji.cli.tournaments.join", "enter players, also late"),
    "withdraw": ("taiji.cli.tournaments.withdraw", "let players leave, come back or sit a round out"),
    "pair": ("taiji.cli.tournaments.pair", "draw the next round"),
    "result": ("taiji.cli.tournaments.result", "type in a result, a forfeit or a correction"),
    "standings": ("taiji.cli.tournaments.standings", "print standings, cross table or a round"),
    "log": ("taiji.cli.tournaments.log", "list everything that was done, and when"),
    "export": ("taiji.cli.tournaments.export", "write text, HTML, PDF, CSV or TRF16"),
    "import": ("taiji.cli.tournaments.import_", "begin a tournament from a TRF16 or CSV file"),
    "run": ("taiji.cli.tournaments.run", "let engines play a tournament"),
}


@click.group(
    cls=LazyGroup,
    commands_by_name=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: taiji tournament new club.tour --game nestorgames-7x7 --format swiss",
)
def command() -> None:
    """Run a tournament: of people at a real table, or of engines.

    A tournament is one file to which every command adds a line, so nothing that was typed is ever lost.
    """
