"""`taiji backup`: copy the database of a server, also while it runs."""

from __future__ import annotations

from pathlib import Path

import click

from taiji.cli._options import database_option


@click.command(epilog="Example: taiji backup games-2026-11-16.sqlite")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@database_option
def command(file: Path, database_url: str | None) -> None:
    """Write everything that a server has stored to a new file.

    The copy is consistent while the server writes. It is one SQLite file that only you can read, also if the
    server uses PostgreSQL; `taiji restore` fills an empty database of either kind with it.
    """
    from taiji.server.settings import default_database
    from taiji.server.store.backup import back_up
    from taiji.server.store.database import parse_url

    back_up(parse_url(database_url or default_database()), file)
    click.echo(f"wrote {file} ({file.stat().st_size / 1e6:.1f} MB)")
