"""`taiji tournament export`: a tournament as a file for others."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from taiji.cli.errors import BadInput
from taiji.cli.tournaments._common import FILE

if TYPE_CHECKING:
    from taiji.arena.tournaments import Tournament

ENDINGS = {".txt": "text", ".html": "html", ".pdf": "pdf", ".csv": "csv", ".trf": "trf", ".json": "json"}


@click.command("export", epilog="Example: taiji tournament export club.tour club.pdf")
@FILE
@click.argument("target", metavar="OUT", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--to", "kind", type=click.Choice([*ENDINGS.values(), "standings-csv"]), help="The format.")
def command(file: Path, target: Path, kind: str | None) -> None:
    """Write FILE's tournament to OUT as .txt, .html, .pdf, .csv, .trf (TRF16) or .json, by OUT's ending.

    CSV holds a line a pairing and can be imported again; standings-csv holds the table.
    """
    from taiji.arena.tournaments import Log

    kind = kind or ENDINGS.get(target.suffix.lower())
    if kind is None:
        raise BadInput(f"{target}: say --to, or end the name with {', '.join(ENDINGS)}")
    with Log(file) as log:
        data = _content(log.tournament, kind)
    partial = target.with_name(target.name + ".partial")
    partial.write_bytes(data)
    partial.replace(target)
    click.echo(f"{target}: {len(data):,} bytes")


def _content(tournament: Tournament, kind: str) -> bytes:
    if kind == "pdf":
        from taiji.render.pdf_writer import pdf_bytes
        from taiji.render.tournament_pages import tournament_pages

        return pdf_bytes(tournament_pages(tournament), tournament.settings.name)
    if kind == "json":
        import json

        from taiji.arena.tournaments.data import to_dict

        return (json.dumps(to_dict(tournament), ensure_ascii=False, indent=1) + "\n").encode()
    return _text(tournament, kind).encode()


def _text(tournament: Tournament, kind: str) -> str:
    if kind == "html":
        from taiji.arena.tournaments.html import as_html

        return as_html(tournament)
    if kind == "trf":
        from taiji.arena.tournaments.trf import as_trf

        return as_trf(tournament)
    if kind in ("csv", "standings-csv"):
        from taiji.arena.tournaments.csv_io import pairings_csv, standings_csv

        return pairings_csv(tournament) if kind == "csv" else standings_csv(tournament)
    from taiji.arena.tournaments.tables import as_text, cross_table, pairings_table, standings_table

    tables = [standings_table(tournament), cross_table(tournament)]
    tables += [pairings_table(tournament, number) for number in range(1, len(tournament.rounds) + 1)]
    return "\n\n".join(as_text(table) for table in tables) + "\n"
