"""`taiji serve`: play in the browser, alone, on one screen, or with friends by a link."""

from __future__ import annotations

import os
import sys

import click


@click.command(
    epilog="Example: taiji serve --host 0.0.0.0 --port 80 --database-url postgresql://taiji@localhost/taiji"
)
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen at; 0.0.0.0 lets others in."
)
@click.option(
    "--port", default=8321, show_default=True, type=click.IntRange(0, 65535), help="0 takes a free one."
)
@click.option(
    "--database-url",
    envvar="TAIJI_DATABASE_URL",
    help="Where games are kept: sqlite:///FILE or postgresql://USER@HOST/NAME.  [default: a file at home]",
)
@click.option("--public-url", help="The address that others use, where a proxy stands in front.")
@click.option("--engines", default=None, type=click.IntRange(0, 64), help="Engine processes; 0: no computer.")
@click.option(
    "--engine-memory", default=4096, show_default=True, type=click.IntRange(256, 65536), help="In MB."
)
@click.option("--limit-scale", default=1.0, hidden=True, type=click.FloatRange(0.01), help="For load tests.")
@click.option(
    "--open/--no-open", "open_browser", default=None, help="Open a browser.  [default: on a terminal]"
)
def command(
    host: str,
    port: int,
    database_url: str | None,
    public_url: str | None,
    engines: int | None,
    engine_memory: int,
    limit_scale: float,
    open_browser: bool | None,
) -> None:
    """Serve the games to browsers.

    Games are kept in an SQLite file unless a PostgreSQL address is given. Ctrl-C ends the server; games go on
    where they were when it starts again, and nobody's clock is charged for the time between.
    """
    from taiji.server.settings import ServerSettings, default_database
    from taiji.server.web.serve import serve

    settings = ServerSettings(
        database_url=database_url or default_database(),
        host=host,
        port=port,
        public_url=public_url,
        engines=max(1, (os.cpu_count() or 2) // 2) if engines is None else engines,
        engine_memory_mb=engine_memory,
        rate_limit_scale=limit_scale,
    )
    wanted = sys.stdout.isatty() if open_browser is None else open_browser
    serve(settings, open_browser=wanted, say=click.echo)
