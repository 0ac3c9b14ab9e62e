"""`taiji serve`: play in the browser, alone, on the same device, or with friends by a link."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from taiji.cli._options import ENGINE_MEMORY, AliasedOption, game_files
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
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Share the PostgreSQL database with other servers: nats://HOST:4222, the bus between them.",
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
@ENGINE_MEMORY
@click.option(
    "--retention-days",
    default=400,
    show_default=True,
    type=click.IntRange(0, 36_500),
    help="Delete unfinished games that nobody touches for this long; 0 keeps all.",
)
@click.option("--push/--no-push", default=True, help="Send web pushes to browsers that asked for them.")
@click.option(
    "--push-contact",
    metavar="ADDRESS",
    help="Where push services reach you: mailto:NAME@HOST or https://…  [default: the public address]",
)
@click.option("--push-local", is_flag=True, hidden=True, help="Push also to private addresses, for tests.")
@click.option(
    "--metrics-port",
    type=click.IntRange(1, 65535),
    help="Offer metrics for Prometheus at this port.  [default: none]",
)
@click.option(
    "--metrics-host",
    default="127.0.0.1",
    show_default=True,
    help="Address of the metrics; everybody who can reach it can read them.",
)
@click.option(
    "--log-format",
    default="text",
    show_default=True,
    type=click.Choice(("text", "json")),
    help="Log lines for people or for programs.",
)
@click.option(
    "--log-level",
    default="warning",
    show_default=True,
    type=click.Choice(("error", "warning", "info")),
    help="`info` logs every request, by its route's template.",
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
    cluster: str | None,
    public_url: str | None,
    allowed_hosts: tuple[str, ...],
    proxies: tuple[str, ...],
    hsts_days: int,
    engines: int | None,
    engine_memory: int,
    retention_days: int,
    push: bool,
    push_contact: str | None,
    push_local: bool,
    metrics_port: int | None,
    metrics_host: str,
    log_format: str,
    log_level: str,
    rate_limit_scale: float,
    open_browser: bool | None,
    game_files: tuple[Path, ...],
) -> None:
    """Serve the games to browsers.

    Games are stored in an SQLite file unless a PostgreSQL address is given. Ctrl-C stops the server. After a
    restart games continue, and no clock is charged for the downtime.
    """
    with _no_garbage_collection():
        from taiji.server.jobs.engine_worker import GAME_FILES_VARIABLE
        from taiji.server.settings import ServerSettings, default_database
        from taiji.server.web.serve import serve

    if public_url is not None and not _is_web_address(public_url):
        raise BadInput(
            f"--public-url {public_url[:80]!r}: not an address (expected https://HOST or http://HOST)"
        )
    if cluster is not None:
        check_bus_address(cluster)
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
    if push_contact is not None and not push_contact.startswith(("mailto:", "https://")):
        raise BadInput(
            f"--push-contact {push_contact[:80]!r}: not a contact (expected mailto:NAME@HOST or https://…)"
        )
    settings = ServerSettings(
        database_url=database_url or default_database(),
        cluster=cluster,
        host=host,
        port=port,
        public_url=public_url,
        allowed_hosts=frozenset(name.lower() for name in allowed_hosts),
        trusted_proxies=proxies,
        hsts_s=hsts_days * 86_400,
        engines=max(1, (os.cpu_count() or 2) // 2) if engines is None else engines,
        engine_memory_mb=engine_memory,
        retention_days=retention_days,
        push=push,
        push_contact=push_contact,
        push_local=push_local,
        metrics_port=metrics_port,
        metrics_host=metrics_host,
        log_format=log_format,
        log_level=log_level,
        rate_limit_scale=rate_limit_scale,
    )
    os.environ[GAME_FILES_VARIABLE] = os.pathsep.join(str(path.resolve()) for path in game_files)
    opens = sys.stdout.isatty() if open_browser is None else open_browser
    serve(settings, open_browser=opens, say=click.echo)


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Load modules without collections: they free nothing there, and take a seventh of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def check_bus_address(text: str) -> None:
    """Raise `BadInput` unless a text is the address of a bus, and its library is installed."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(text)
        known = parts.scheme in {"nats", "tls", "ws", "wss"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        known = False
    if not known:
        raise BadInput(f"--cluster {text[:80]!r}: not a bus (expected nats://HOST:4222)")
    import nats  # noqa: F401 - the error names the extra that is missing


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
