"""`taiji tournament new`: create a tournament in a new file."""

from __future__ import annotations

from pathlib import Path

import click

from taiji.cli._completions import complete_game
from taiji.cli._games import with_declaration
from taiji.cli._options import GAME_FILES
from taiji.cli.tournaments._common import AS_JSON, FILE, FORMATS, SINGLE_GAME, show_json


@click.command(
    "new", epilog="Example: taiji tournament new club.tour --name 'Spring Open' --game nestorgames-9x9"
)
@FILE
@click.option("--name", help="Name of the tournament.  [default: the file's name]")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="swiss",
    show_default=True,
    help="Format of the tournament.",
)
@click.option(
    "--game",
    default="nestorgames-9x9",
    show_default=True,
    shell_complete=complete_game,
    help="A game, an edition, or a TOML file.",
)
@click.option(
    "--rounds", type=int, help="Number of rounds (Swiss, match, ladder).  [default: depends on the entrants]"
)
@SINGLE_GAME
@GAME_FILES
@click.option(
    "--rule",
    type=click.Choice(["nestorgames", "blue-panther"]),
    help="Match rule: the result of equal totals.  [default: the edition's]",
)
@AS_JSON
def command(
    file: Path,
    name: str | None,
    form: str,
    game: str,
    rounds: int | None,
    single_game: bool,
    rule: str | None,
    as_json: bool,
) -> None:
    """Create a tournament in FILE, which must not exist yet.

    Every pairing is a match of two games with the colours exchanged, unless --single-game is given.
    """
    from taiji.arena.custom_game import read_game
    from taiji.arena.tournaments import Format, Log, TournamentSettings
    from taiji.rules import MatchRule, match_rule

    game_text, declaration = read_game(with_declaration(game))
    settings = TournamentSettings(
        name or file.stem,
        Format(form),
        game_text,
        1 if single_game else 2,
        MatchRule(rule) if rule else match_rule(game),
        rounds,
        declaration,
    )
    with Log.create(file, settings) as log:
        if as_json:
            show_json(log.tournament)
        else:
            click.echo(f"{settings.name}: created {file}: {form}, {settings.game}")
