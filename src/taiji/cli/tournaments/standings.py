"""`taiji tournament standings`: print standings, cross table or a round."""

from __future__ import annotations

from pathlib import Path

import click

from taiji.cli._options import AliasedOption
from taiji.cli.tournaments._common import AS_JSON, FILE, show_json


@click.command("standings", epilog="Example: taiji tournament standings club.tour --crosstable")
@FILE
@click.option(
    "--crosstable", cls=AliasedOption, aliases=("--cross",), is_flag=True, help="Print the cross table."
)
@click.option("--round", "round_no", type=int, help="Print the pairings and results of this round.")
@AS_JSON
def command(file: Path, crosstable: bool, round_no: int | None, as_json: bool) -> None:
    """Print the standings: points, score difference, Buchholz, Sonneborn-Berger, direct encounter."""
    from taiji.arena.tournaments import Log
    from taiji.arena.tournaments.tables import as_text, cross_table, pairings_table, standings_table

    with Log(file) as log:
        tournament = log.tournament
    if as_json:
        show_json(tournament)
    elif crosstable:
        click.echo(as_text(cross_table(tournament)))
    elif round_no is not None:
        tournament.pairing(round_no, 1)
        click.echo(as_text(pairings_table(tournament, round_no)))
    else:
        click.echo(as_text(standings_table(tournament)))
