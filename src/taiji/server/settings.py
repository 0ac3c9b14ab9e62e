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
    engines: int = 1
    """The maximum number of engine processes; 0 switches the computer off."""
    engine_memory_mb: int = 4096
    engine_queue: int = 64
    computer_pace_s: float = 0.3
    """The computer's minimum time per move, so that players see it move."""
    rate_limit_scale: float = 1.0
    """Factor for all rate limits."""
    static_dir: Path = STATIC_DIR
