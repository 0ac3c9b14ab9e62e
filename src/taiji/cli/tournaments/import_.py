"""`taiji tournament import`: create a tournament from a TRF16 report or a CSV file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from taiji.cli._completions import complete_game
from taiji.cli._games import with_declaration
from taiji.cli._options import GAME_FILES
from taiji.cli.tournaments._common import AS_JSON, FILE, FORMATS, SINGLE_GAME, show_json

MAX_IMPORT_BYTES = 10_000_000
_TRF_NOTE = "note: TRF16 holds no scores, so these players rank differently than in the report"


@click.command("import", epilog="Example: taiji tournament import club.tour club.trf --game nestorgames-9x9")
@FILE
@click.argument("source", metavar="IN", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--game",
    default="nestorgames-9x9",
    show_default=True,
    shell_complete=complete_game,
    help="The game that was played.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="Format of the tournament.  [default: the report's, or swiss]",
)
@SINGLE_GAME
@GAME_FILES
@AS_JSON
def command(file: Path, source: Path, game: str, form: str | None, single_game: bool, as_json: bool) -> None:
    """Create a tournament in FILE from IN: a TRF16 report, or a CSV file of pairings (suffix .csv)."""
    from taiji.arena.custom_game import read_game
    from taiji.arena.tournaments import Created, Format, Log, Tournament, TournamentSettings
    from taiji.arena.tournaments.csv_io import events_from_csv
    from taiji.arena.tournaments.trf import events_from_trf, rank_changes
    from taiji.cli.errors import BadInput
    from taiji.rules import match_rule

    if source.stat().st_size > MAX_IMPORT_BYTES:
        raise BadInput(f"{source}: too large (expected at most {MAX_IMPORT_BYTES:,} bytes)")
    text = source.read_text(encoding="utf-8-sig")
    game_text, declaration = read_game(with_declaration(game))
    defaults = TournamentSettings(
        file.stem,
        Format(form or "swiss"),
        game_text,
        1 if single_game else 2,
        match_rule(game),
        declaration=declaration,
    )
    if source.suffix.lower() == ".csv":
        created, *events = events_from_csv(text, defaults)
    else:
        created, *events = events_from_trf(text)
    assert isinstance(created, Created)
    imported = created.settings
    settings = replace(
        defaults,
        name=imported.name,
        format=defaults.format if form else imported.format,
        rounds=imported.rounds if not form or form == imported.format.value else None,
    )
    Tournament.of([Created(settings), *events])
    with Log.create(file, settings) as log:
        for event in events:
            log.add(event)
        rounds = log.tournament.rounds
        if as_json:
            show_json(log.tournament)
        else:
            click.echo(f"{settings.name}: {len(log.tournament.entrants)} players, {len(rounds)} rounds")
        moved = [] if source.suffix.lower() == ".csv" else rank_changes(text, log.tournament)
        if moved:
            click.echo(f"{_TRF_NOTE}: {', '.join(moved)}", err=True)
