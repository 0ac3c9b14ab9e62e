"""`taiji tournament new`: begin a tournament in a new file."""

from __future__ import annotations

from pathlib import Path

import click

from taiji.cli.tournaments._common import FORMATS, NEW_FILE


@click.command(
    "new", epilog="Example: taiji tournament new club.tour --name 'Spring Open' --game nestorgames-9x9"
)
@NEW_FILE
@click.option("--name", help="What it is called.  [default: the file's name]")
@click.option("--format", "form", type=click.Choice(FORMATS), default="swiss", show_default=True)
@click.option(
    "--game", default="nestorgames-9x9", show_default=True, help="A game, an edition, or a TOML file."
)
@click.option("--rounds", type=int, help="How many rounds (Swiss, match, ladder).  [default: the usual]")
@click.option("--single", is_flag=True, help="Single games instead of matches of two.")
@click.option(
    "--rule",
    type=click.Choice(["nestorgames", "blue-panther"]),
    help="What equal totals mean.  [default: the edition's]",
)
def command(
    file: Path, name: str | None, form: str, game: str, rounds: int | None, single: bool, rule: str | None
) -> None:
    """Begin a tournament in FILE, which must not exist yet.

    Every pairing is a match of two games with the colours exchanged, unless --single.
    """
    from taiji.arena.custom_game import read_game
    from taiji.arena.tournaments import Format, Log, TournamentSettings
    from taiji.rules import MatchRule, match_rule

    known, declaration = read_game(game)
    settings = TournamentSettings(
        name or file.stem,
        Format(form),
        known,
        1 if single else 2,
        MatchRule(rule) if rule else match_rule(game),
        rounds,
        declaration,
    )
    Log.create(file, settings).close()
    click.echo(f"{settings.name}: a {form} of {settings.game} begins in {file}")
