"""`taiji tournament import`: begin a tournament from a report or a table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from taiji.cli.tournaments._common import FORMATS, NEW_FILE

MAX_IMPORT_BYTES = 10_000_000


@click.command("import", epilog="Example: taiji tournament import club.tour club.trf --game nestorgames-9x9")
@NEW_FILE
@click.argument("source", metavar="IN", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--game", default="nestorgames-9x9", show_default=True, help="The game that was played.")
@click.option("--format", "form", type=click.Choice(FORMATS), help="[default: the report's, or swiss]")
@click.option("--single", is_flag=True, help="Single games instead of matches of two.")
def command(file: Path, source: Path, game: str, form: str | None, single: bool) -> None:
    """Begin a tournament in FILE from IN: a TRF16 report, or a CSV file of pairings (ending .csv)."""
    from taiji.arena.custom_game import read_game
    from taiji.arena.tournaments import Created, Format, Log, Tournament, TournamentSettings
    from taiji.arena.tournaments.csv_io import events_from_csv
    from taiji.arena.tournaments.trf import events_from_trf
    from taiji.cli.errors import BadInput
    from taiji.rules import match_rule

    if source.stat().st_size > MAX_IMPORT_BYTES:
        raise BadInput(f"{source}: larger than {MAX_IMPORT_BYTES:,} bytes")
    text = source.read_text(encoding="utf-8-sig")
    known, declaration = read_game(game)
    wanted = TournamentSettings(
        file.stem,
        Format(form or "swiss"),
        known,
        1 if single else 2,
        match_rule(game),
        declaration=declaration,
    )
    if source.suffix.lower() == ".csv":
        created, *events = events_from_csv(text, wanted)
    else:
        created, *events = events_from_trf(text)
    assert isinstance(created, Created)
    told = created.settings
    settings = replace(
        wanted,
        name=told.name,
        format=wanted.format if form else told.format,
        rounds=told.rounds if not form or form == told.format.value else None,
    )
    Tournament.of([Created(settings), *events])
    with Log.create(file, settings) as log:
        for event in events:
            log.add(event)
        click.echo(
            f"{settings.name}: {len(log.tournament.entrants)} players, {len(log.tournament.rounds)} rounds"
        )
