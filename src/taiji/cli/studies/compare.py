"""`taiji study compare`: two rule sets side by side."""

from __future__ import annotations

import click

from taiji.cli._completions import complete_game
from taiji.cli._options import GAME_FILES
from taiji.cli.studies import _options
from taiji.cli.studies.balance import run_games


@click.command(epilog="Example: taiji study compare taiji:size=7 taiji:size=7,groups=2")
@click.argument("one", shell_complete=complete_game)
@click.argument("two", shell_complete=complete_game)
@_options.PLAY
@GAME_FILES
def command(one: str, two: str, **options: object) -> None:
    """Measure the games ONE and TWO alike, and the differences between them with 95 % intervals."""
    run_games("compare", (one, two), **options)  # type: ignore[arg-type]
