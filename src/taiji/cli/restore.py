"""`taiji restore`: fill an empty database with a backup."""

from __future__ import annotations

from pathlib import Path

import click

from taiji.cli._options import database_option


@click.command(
    epilog="Example: taiji restore games-2026-11-16.sqlite --database-url postgresql://taiji@localhost/new"
)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@database_option
def command(file: Path, database_url: str | None) -> None:
    """Fill an empty database with a backup of `taiji backup`, of this version or an older one.

    A database that exists is never overwritten: move its file away, or name another.
    """
    from taiji.server.settings import default_database
    from taiji.server.store.backup import restore
    from taiji.server.store.database import parse_url

    url = parse_url(database_url or default_database())
    restore(file, url)
    click.echo(f"restored {url.render_as_string(hide_password=True)}")
