"""The settings of a server."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

STATIC_DIR = Path(__file__).parent / "static"


def default_database() -> str:
    """Return the address of the database in the user's data folder."""
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return f"sqlite:///{Path(base) / 'taiji' / 'games.sqlite'}"


@dataclass(frozen=True)
class ServerSettings:
    """All settings; the defaults are those of `taiji serve`."""

    database_url: str = field(default_factory=default_database)
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
    computer_pace_s: float = 0.3
    """The computer's minimum time per move, so that players see it move."""
    rate_limit_scale: float = 1.0
    """Factor for all rate limits."""
    static_dir: Path = STATIC_DIR


def trusted_proxies(settings: ServerSettings) -> list[str]:
    """Return the proxies that are believed."""
    if settings.trusted_proxies or settings.public_url is None:
        return list(settings.trusted_proxies)
    return ["127.0.0.1", "::1"]
