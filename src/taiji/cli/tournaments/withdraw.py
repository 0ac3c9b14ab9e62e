"""`taiji tournament withdraw`: players who leave, come back or sit a round out."""

from __future__ import annotations

from pathlib import Path

import click

from taiji.cli.tournaments._common import FILE


@click.command("withdraw", epilog="Example: taiji tournament withdraw club.tour 'Ana Lima'")
@FILE
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option("--back", is_flag=True, help="They are back.")
@click.option(
    "--bye", type=click.Choice(["half", "zero"]), help="They only sit the next round out, for this."
)
def command(file: Path, names: tuple[str, ...], back: bool, bye: str | None) -> None:
    """Let players leave; what they played stays in the table."""
    from taiji.arena.tournaments import ByeRequested, Event, Log, Returned, Withdrew

    if back and bye:
        raise click.UsageError("--back and --bye do not go together")
    with Log(file) as log:
        for name in names:
            player = log.tournament.find_entrant(name)
            event: Event = Returned(player.entrant_no) if back else Withdrew(player.entrant_no)
            said = "is back" if back else "has withdrawn"
            if bye:
                event = ByeRequested(player.entrant_no, 0.5 if bye == "half" else 0.0)
                said = (
                    f"sits the next round out ({bye} point)" if bye == "half" else "sits the next round out"
                )
            log.add(event)
            click.echo(f"{player.name} {said}")
