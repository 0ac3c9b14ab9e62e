"""`taiji serve`: play in the browser, alone, on the same device, or with friends by a link."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from taiji.cli._options import AliasedOption, game_files
from taiji.cli.errors import BadInput


@click.command(
    epilog="Example: taiji serve --host 0.0.0.0 --port 80 --database-url postgresql://taiji@localhost/taiji"
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; 0.0.0.0 accepts other machines.",
)
@click.option(
    "--port",
    default=8321,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="Port to listen on; 0 chooses a free one.",
)
@click.option(
    "--database-url",
    envvar="TAIJI_DATABASE_URL",
    help="Database: sqlite:///FILE or postgresql://USER@HOST/NAME.  [default: a file in the home folder]",
)
@click.option("--public-url", help="The public address, if the server is behind a proxy.")
@click.option(
    "--allowed-host",
    "allowed_hosts",
    multiple=True,
    metavar="NAME",
    help="One more name to answer to; addresses, localhost and the public address always are.",
)
@click.option(
    "--trusted-proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    help="Proxy whose X-Forwarded headers are believed.  [default: this machine, with --public-url]",
)
@click.option(
    "--hsts-days",
    default=0,
    show_default=True,
    type=click.IntRange(0, 3650),
    help="Tell browsers for how long to use only https.",
)
@click.option(
    "--engines", default=None, type=click.IntRange(0, 64), help="Engine processes; 0 disables the computer."
)
@click.option(
    "--engine-memory",
    default=4096,
    show_default=True,
    type=click.IntRange(256, 65536),
    help="Memory per engine, in MiB.",
)
@click.option(
    "--rate-limit-scale",
    cls=AliasedOption,
    aliases=("--limit-scale",),
    default=1.0,
    hidden=True,
    type=click.FloatRange(0.01),
    help="Multiply the rate limits, for load tests.",
)
@click.option(
    "--open/--no-open", "open_browser", default=None, help="Open a browser.  [default: on a terminal]"
)
@game_files(keep=True)
def command(
    host: str,
    port: int,
    database_url: str | None,
    public_url: str | None,
    allowed_hosts: tuple[str, ...],
    proxies: tuple[str, ...],
    hsts_days: int,
    engines: int | None,
    engine_memory: int,
    rate_limit_scale: float,
    open_browser: bool | None,
    game_files: tuple[Path, ...],
) -> None:
    """Serve the games to browsers.

    Games are stored in an SQLite file unless a PostgreSQL address is given. Ctrl-C stops the server. After a
    restart games continue, and no clock is charged for the downtime.
    """
    from taiji.server.jobs.engine_worker import GAME_FILES_VARIABLE
    from taiji.server.settings import ServerSettings, default_database
    from taiji.server.web.serve import serve

    if public_url is not None and not _is_web_address(public_url):
        raise BadInput(
            f"--public-url {public_url[:80]!r}: not an address (expected https://HOST or http://HOST)"
        )
    for name in allowed_hosts:
        if name != "*" and not _is_host_name(name):
            raise BadInput(
                f"--allowed-host {name[:80]!r}: not a host name (expected games.example, for example)"
            )
    for proxy in proxies:
        if not _is_network(proxy):
            raise BadInput(
                f"--trusted-proxy {proxy[:80]!r}: not an address or network (expected 10.0.0.1 or 10.0.0.0/8)"
            )
    settings = ServerSettings(
        database_url=database_url or default_database(),
        host=host,
        port=port,
        public_url=public_url,
        allowed_hosts=frozenset(name.lower() for name in allowed_hosts),
        trusted_proxies=proxies,
        hsts_s=hsts_days * 86_400,
        engines=max(1, (os.cpu_count() or 2) // 2) if engines is None else engines,
        engine_memory_mb=engine_memory,
        rate_limit_scale=rate_limit_scale,
    )
    os.environ[GAME_FILES_VARIABLE] = os.pathsep.join(str(path.resolve()) for path in game_files)
    opens = sys.stdout.isatty() if open_browser is None else open_browser
    serve(settings, open_browser=opens, say=click.echo)


def _is_host_name(text: str) -> bool:
    """Return whether a text is a host name, without a port."""
    from taiji.server.identity.origins import split_host

    parts = split_host(text)
    return parts is not None and parts[1] is None


def _is_network(text: str) -> bool:
    """Return whether a text is an address or a network."""
    import ipaddress

    try:
        ipaddress.ip_network(text)
    except ValueError:
        return False
    return True


def _is_web_address(text: str) -> bool:
    """Return whether a text is the address of a site, with scheme and host."""
    from urllib.parse import urlsplit

    parts = urlsplit(text)
    return parts.scheme in {"http", "https"} and bool(parts.hostname)
