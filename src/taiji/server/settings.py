"""How a server is set up."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

STATIC_DIR = Path(__file__).parent / "static"


def default_database() -> str:
    """Return the address of the database in the user's own data folder."""
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return f"sqlite:///{Path(base) / 'taiji' / 'games.sqlite'}"


@dataclass(frozen=True)
class ServerSettings:
    """Everything that can be set; the defaults are those of `taiji serve`."""

    database_url: str = field(default_factory=default_database)
    host: str = "127.0.0.1"
    port: int = 8321
    public_url: str | None = None
    """The address that others reach the server at, where a proxy stands in front of it."""
    origins: frozenset[str] = frozenset()
    """Further origins whose pages may talk to the server."""
    engines: int = 1
    """How many engine processes there may be; 0 switches the computer off."""
    engine_memory_mb: int = 4096
    engine_queue: int = 64
    computer_pace_s: float = 0.3
    """The computer takes at least so long, so that one sees it move."""
    rate_limit_scale: float = 1.0
    """Makes the bounds on requests wider or narrower."""
    static_dir: Path = STATIC_DIR
