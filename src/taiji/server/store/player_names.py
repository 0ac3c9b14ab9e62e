"""Names in stored games and tournaments: rewritten when an account is renamed or deleted."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from sqlalchemy import or_, select, update

from taiji.server.store.schema import events, tables
from taiji.server.store.schema_tournaments import tournament_events, tournament_players

if TYPE_CHECKING:
    from sqlalchemy import Connection

Data = dict[str, Any]
SEAT_COLUMNS = {"first": "first_id", "second": "second_id"}


def rewrite_names(connection: Connection, ids: Collection[str], name: str | None) -> None:
    """Give a player of stored games and tournaments another name, or none; doing it twice changes nothing."""
    for table_id in find_tables(connection, ids):
        _rewrite_seats(connection, table_id, ids, name)
        _rewrite_joins(connection, table_id, ids, name)
    for tournament_id in find_tournaments(connection, ids):
        _rewrite_entries(connection, tournament_id, ids, name)


def find_tables(connection: Connection, ids: Collection[str]) -> list[str]:
    """Return the tables where one of these ids has a seat."""
    wanted = sorted(ids)
    seated = or_(tables.c.first_id.in_(wanted), tables.c.second_id.in_(wanted))
    return list(connection.execute(select(tables.c.id).where(seated)).scalars())


def find_tournaments(connection: Connection, ids: Collection[str]) -> list[str]:
    """Return the tournaments that one of these ids has entered."""
    query = select(tournament_players.c.tournament_id).distinct()
    return list(connection.execute(query.where(tournament_players.c.user_id.in_(sorted(ids)))).scalars())


def _rewrite_seats(connection: Connection, table_id: str, ids: Collection[str], name: str | None) -> None:
    row = connection.execute(select(tables).where(tables.c.id == table_id)).mappings().one()
    seats = {
        seat: {**player, "name": name} if player and row[SEAT_COLUMNS[seat]] in ids else player
        for seat, player in row["seats"].items()
    }
    connection.execute(update(tables).where(tables.c.id == table_id).values(seats=seats))


def _rewrite_joins(connection: Connection, table_id: str, ids: Collection[str], name: str | None) -> None:
    wanted = (events.c.table_id == table_id, events.c.event_type == "join")
    for row in connection.execute(select(events).where(*wanted)).mappings().all():
        data = renamed_join(row["data"], ids, name)
        if data is not None:
            key = (events.c.table_id == table_id, events.c.version == row["version"])
            connection.execute(update(events).where(*key).values(data=data))


def renamed_join(data: Data, ids: Collection[str], name: str | None) -> Data | None:
    """Return the data of a `join` event of any format with another name, or None if another player joined."""
    key = "user_id" if "user_id" in data else "sitter"
    owner = data[key] if key == "user_id" else data[key]["id"]
    if owner not in ids:
        return None
    return {
        key: {**value, "name": name} if key in ("player", "sitter") else value for key, value in data.items()
    }


def _rewrite_entries(
    connection: Connection, tournament_id: str, ids: Collection[str], name: str | None
) -> None:
    query = select(tournament_events).where(tournament_events.c.tournament_id == tournament_id)
    entrant_no = 0
    for row in connection.execute(query.order_by(tournament_events.c.version)).mappings().all():
        data: Data = row["data"]
        if "person" not in data:
            continue
        entrant_no += 1
        if data["person"] in ids:
            # Names differ within a tournament; the number of the entrant stands for a deleted one.
            changed = {**data, "name": name or f"({entrant_no})"}
            key = (
                tournament_events.c.tournament_id == tournament_id,
                tournament_events.c.version == row["version"],
            )
            connection.execute(update(tournament_events).where(*key).values(data=changed))
