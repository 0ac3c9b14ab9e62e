"""Openings of this server's games: the queue of games to count, and the counts by position."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, select
from sqlalchemy.dialects import postgresql, sqlite

from taiji.server.store.queries import run_many
from taiji.server.store.schema import opening_queue, openings

if TYPE_CHECKING:
    from sqlalchemy import Connection, RowMapping


@dataclass(frozen=True, slots=True)
class Opening:
    """The first positions of a finished game, by their keys, and how it ended for Light."""

    game: str
    keys: tuple[int, ...]
    won: float
    margin: float | None
    """In points; None if the game was not played to its end."""


def queue_opening(connection: Connection, table_id: str) -> None:
    """Queue a game that has ended, until its opening is counted."""
    connection.execute(insert(opening_queue), [{"table_id": table_id}])


def queued_openings(connection: Connection, limit: int) -> list[str]:
    """Return games to count."""
    return list(connection.execute(select(opening_queue.c.table_id).limit(limit)).scalars())


def count_openings(connection: Connection, counted: Mapping[str, Opening | None]) -> None:
    """Take games from the queue and count their openings; another server may have counted some before."""
    sums: dict[tuple[str, int], list[float]] = {}
    for table_id in sorted(counted):
        gone = delete(opening_queue).where(opening_queue.c.table_id == table_id)
        opening = counted[table_id]
        if not connection.execute(gone).rowcount or opening is None:
            continue
        scored = 0 if opening.margin is None else 1
        for key in set(opening.keys):
            entry = sums.setdefault((opening.game, key), [0, 0.0, 0, 0.0])
            for index, value in enumerate((1, opening.won, scored, opening.margin or 0.0)):
                entry[index] += value
    rows = [
        {"game": game, "key": key, "games": games, "light_wins": wins, "scored": scored, "margin": margin}
        for (game, key), (games, wins, scored, margin) in sorted(sums.items())
    ]
    upsert = (postgresql if connection.dialect.name == "postgresql" else sqlite).insert(openings)
    added = {
        name: openings.c[name] + upsert.excluded[name] for name in ("games", "light_wins", "scored", "margin")
    }
    run_many(connection, upsert.on_conflict_do_update(index_elements=["game", "key"], set_=added), rows)


def find_openings(connection: Connection, game: str, keys: Collection[int]) -> Sequence[RowMapping]:
    """Return what is known of these positions."""
    query = select(openings).where(openings.c.game == game, openings.c.key.in_(sorted(keys)))
    return connection.execute(query).mappings().all()
