"""`taiji tournament export`: write a tournament as text, HTML, PDF, CSV, TRF16 or JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from taiji.cli._output import say_written
from taiji.cli.errors import BadInput
from taiji.cli.tournaments._common import FILE

if TYPE_CHECKING:
    from taiji.arena.tournaments import Tournament

SUFFIXES = {".txt": "text", ".html": "html", ".pdf": "pdf", ".csv": "csv", ".trf": "trf", ".json": "json"}


@click.command("export", epilog="Example: taiji tournament export club.tour club.pdf")
@FILE
@click.argument("target", metavar="OUT", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--to",
    "form",
    type=click.Choice([*SUFFIXES.values(), "standings-csv"]),
    help="Output format.  [default: by the suffix of OUT]",
)
def command(file: Path, target: Path, form: str | None) -> None:
    """Write the tournament in FILE to OUT as .txt, .html, .pdf, .csv, .trf (TRF16) or .json.

    csv has one row per pairing and can be imported again; standings-csv has the standings.
    """
    from taiji.arena.tournaments import Log

    form = form or SUFFIXES.get(target.suffix.lower())
    if form is None:
        raise BadInput(f"{target}: unknown format (expected --to, or a suffix of {', '.join(SUFFIXES)})")
    with Log(file) as log:
        data = _content(log.tournament, form)
    partial = target.with_name(target.name + ".partial")
    partial.write_bytes(data)
    partial.replace(target)
    say_written([target])


def _content(tournament: Tournament, form: str) -> bytes:
    if form == "pdf":
        from taiji.render.pdf_writer import pdf_bytes
        from taiji.render.tournament_pages import tournament_pages

        return pdf_bytes(tournament_pages(tournament), tournament.settings.name)
    if form == "json":
        import json

        from taiji.arena.tournaments.data import to_dict

        return (json.dumps(to_dict(tournament), ensure_ascii=False, indent=1) + "\n").encode()
    return _text(tournament, form).encode()


def _text(tournament: Tournament, form: str) -> str:
    if form == "html":
        from taiji.arena.tournaments.html import as_html

        return as_html(tournament)
    if form == "trf":
        from taiji.arena.tournaments.trf import as_trf

        return as_trf(tournament)
    if form in ("csv", "standings-csv"):
        from taiji.arena.tournaments.csv_io import pairings_csv, standings_csv

        return pairings_csv(tournament) if form == "csv" else standings_csv(tournament)
    from taiji.arena.tournaments.tables import as_text, cross_table, pairings_table, standings_table

    tables = [standings_table(tournament), cross_table(tournament)]
    tables += [pairings_table(tournament, number) for number in range(1, len(tournament.rounds) + 1)]
    return "\n\n".join(as_text(table) for table in tables) + "\n"
