"""New databases with the current schema: copies of one that this process migrated, once of each kind.

To migrate an empty database takes more processor time than most tests of a server. Tests of the migrations
begin with an empty one.
"""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from taiji.server.store.database import migrate, parse_url, writing_engine


def migrate_database(address: str) -> None:
    """Give a database the current schema, as a server that starts does."""
    engine = writing_engine(parse_url(address))
    migrate(engine)
    engine.dispose()


@cache
def _migrated_sqlite() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "migrated.sqlite"
        migrate_database(f"sqlite:///{path}")
        return path.read_bytes()


def prepare_sqlite(address: str) -> None:
    """Write the file of a SQLite database, unless it exists or the address is of another kind."""
    url = parse_url(address)
    if url.get_backend_name() == "sqlite" and url.database and not (path := Path(url.database)).exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_migrated_sqlite())
