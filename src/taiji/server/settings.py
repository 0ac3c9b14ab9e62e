"""The settings of a server."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

STATIC_DIR = Path(__file__).parent / "static"
DOCS_DIR = Path(__file__).parent / "site"


def default_database() -> str:
    """Return the address of the database in the user's data folder."""
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return f"sqlite:///{Path(base) / 'taiji' / 'games.sqlite'}"


@dataclass(frozen=True)
class ServerSettings:
    """All settings; the defaults are those of `taiji serve`."""

    database_url: str = field(default_factory=default_database)
    cluster: str | None = None
    """The address of the bus to the other servers of the same database, such as nats://localhost:4222."""
    host: str = "127.0.0.1"
    port: int = 8321
    public_url: str | None = None
    """The public address of the server, if it is behind a proxy."""
    origins: frozenset[str] = frozenset()
    """Additional origins whose pages may use the server."""
    allowed_hosts: frozenset[str] = frozenset()
    """Additional names that the server answers to; `*` allows all, without protection against rebinding."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses and networks of proxies whose X-Forwarded-For and X-Forwarded-Proto are believed.

    Without any, those of this machine if there is a public address, otherwise none.
    """
    hsts_s: int = 0
    """How long browsers shall use only https, in seconds; 0 does not say."""
    engines: int = 1
    """The maximum number of engine processes; 0 switches the computer off."""
    engine_memory_mb: int = 4096
    engine_queue: int = 64
    task_workers: int = 1
    """Processes of each kind of task (records, pictures, games, passwords); 0 performs them in threads."""
    computer_pace_s: float = 0.3
    """The computer's minimum time per move, so that players see it move."""
    rate_limit_scale: float = 1.0
    """Factor for all rate limits."""
    retention_days: int = 400
    """After how many days an unfinished game that nobody touches is deleted; 0 keeps all."""
    push: bool = True
    """Whether to send web pushes; without the libraries of the extra `push` there are none."""
    push_contact: str | None = None
    """Where push services reach the operator: mailto:NAME@HOST or https://…"""
    push_local: bool = False
    """Whether pushes may also go to private addresses and by http, for tests."""
    metrics_host: str = "127.0.0.1"
    metrics_port: int | None = None
    """The port of the metrics; None offers none."""
    log_format: str = "text"
    log_level: str = "warning"
    static_dir: Path = STATIC_DIR
    docs_dir: Path = DOCS_DIR
    """The documentation site; it may be missing."""


def trusted_proxies(settings: ServerSettings) -> list[str]:
    """Return the proxies that are believed."""
    if settings.trusted_proxies or settings.public_url is None:
        return list(settings.trusted_proxies)
    return ["127.0.0.1", "::1"]
