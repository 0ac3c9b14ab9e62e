"""`taiji tournament pair`: pair the next round."""

from __future__ import annotations

from pathlib import Path

import click

from taiji.cli.tournaments._common import AS_JSON, FILE, show_json


@click.command("pair", epilog="Example: taiji tournament pair club.tour")
@FILE
@click.option("--undo", is_flag=True, help="Undo the last round, if it has no result yet.")
@click.option(
    "--challenge",
    nargs=2,
    multiple=True,
    metavar="CHALLENGER DEFENDER",
    help="In a ladder: pair these players instead of neighbours.",
)
@AS_JSON
def command(file: Path, undo: bool, challenge: tuple[tuple[str, str], ...], as_json: bool) -> None:
    """Pair the next round and print it; the last round must be complete."""
    from taiji.arena.tournaments import Format, Log, Paired, RoundUndone, next_round
    from taiji.arena.tournaments.ladder import challenge as challenged
    from taiji.arena.tournaments.tables import as_text, pairings_table

    with Log(file) as log:
        if undo:
            log.add(RoundUndone())
            if as_json:
                show_json(log.tournament)
            else:
                click.echo(f"round {len(log.tournament.rounds) + 1} undone")
            return
        tournament = log.tournament
        if challenge:
            if tournament.settings.format is not Format.LADDER:
                raise click.UsageError("--challenge: only for ladders")
            pairs = [
                (tournament.find_entrant(one).entrant_no, tournament.find_entrant(two).entrant_no)
                for one, two in challenge
            ]
            log.add(Paired(tuple(challenged(tournament, one, two) for one, two in pairs)))
        else:
            log.add(Paired(next_round(tournament)))
        if as_json:
            show_json(log.tournament)
        else:
            click.echo(as_text(pairings_table(log.tournament)))
