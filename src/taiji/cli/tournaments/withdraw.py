"""`taiji tournament withdraw`: withdraw players, let them rejoin, or give a bye."""

from __future__ import annotations

from pathlib import Path

import click

from taiji.cli._options import AliasedOption
from taiji.cli.tournaments._common import AS_JSON, FILE, show_json


@click.command("withdraw", epilog="Example: taiji tournament withdraw club.tour 'Ana Lima'")
@FILE
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option(
    "--rejoin", cls=AliasedOption, aliases=("--back",), is_flag=True, help="Let withdrawn players rejoin."
)
@click.option(
    "--bye",
    type=click.Choice(["half", "zero"]),
    help="Do not withdraw: give a bye in the next round, worth half a point or none.",
)
@AS_JSON
def command(file: Path, names: tuple[str, ...], rejoin: bool, bye: str | None, as_json: bool) -> None:
    """Withdraw players; their results stay in the standings."""
    from taiji.arena.tournaments import ByeRequested, Event, Log, Returned, Withdrew

    if rejoin and bye:
        raise click.UsageError("--rejoin and --bye: use only one of them")
    with Log(file) as log:
        for name in names:
            player = log.tournament.find_entrant(name)
            event: Event = Returned(player.entrant_no) if rejoin else Withdrew(player.entrant_no)
            change = "rejoined" if rejoin else "withdrew"
            if bye:
                event = ByeRequested(player.entrant_no, 0.5 if bye == "half" else 0.0)
                change = f"has a {bye}-point bye in the next round"
            log.add(event)
            if not as_json:
                click.echo(f"{player.name} {change}")
        if as_json:
            show_json(log.tournament)
