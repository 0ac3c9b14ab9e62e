"""`taiji tournament join`: enter players."""

from __future__ import annotations

from pathlib import Path

import click

from taiji.cli.tournaments._common import AS_JSON, FILE, show_json


@click.command("join", epilog="Example: taiji tournament join club.tour 'Ana Lima' 'Bo Chen=1650'")
@FILE
@click.argument("names", nargs=-1, required=True, metavar="NAME[=RATING]...")
@AS_JSON
def command(file: Path, names: tuple[str, ...], as_json: bool) -> None:
    """Enter players into FILE, with an optional rating; higher ratings are seeded first."""
    from taiji.arena.tournaments import Entered, Log

    with Log(file) as log:
        for text in names:
            name, equals, rating = text.rpartition("=")
            known = equals and rating.isdecimal()
            tournament = log.add(Entered(name, int(rating)) if known else Entered(text))
            entrant = tournament.entrants[-1]
            late = f", from round {entrant.since}" if entrant.since > 1 else ""
            if not as_json:
                click.echo(f"#{entrant.entrant_no} {entrant.name}{late}")
        if as_json:
            show_json(log.tournament)
