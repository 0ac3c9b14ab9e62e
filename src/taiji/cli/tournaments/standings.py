"""`taiji tournament standings`: print the tables."""

from __future__ import annotations

import json
from pathlib import Path

import click

from taiji.cli.tournaments._common import FILE


@click.command("standings", epilog="Example: taiji tournament standings club.tour --cross")
@FILE
@click.option("--cross", is_flag=True, help="The cross table.")
@click.option("--round", "number", type=int, help="The pairings and results of this round.")
@click.option("--json", "as_json", is_flag=True, help="Print the standings as JSON.")
def command(file: Path, cross: bool, number: int | None, as_json: bool) -> None:
    """Print the standings: points, score difference, Buchholz, Sonneborn-Berger, direct encounter."""
    from taiji.arena.tournaments import Log
    from taiji.arena.tournaments.data import to_dict
    from taiji.arena.tournaments.tables import as_text, cross_table, pairings_table, standings_table

    with Log(file) as log:
        tournament = log.tournament
    if as_json:
        click.echo(json.dumps(to_dict(tournament), ensure_ascii=False))
    elif cross:
        click.echo(as_text(cross_table(tournament)))
    elif number is not None:
        tournament.pairing(number, 1)
        click.echo(as_text(pairings_table(tournament, number)))
    else:
        click.echo(as_text(standings_table(tournament)))
