"""Who is who: an account and the guests whose games it took over are one player."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from sqlalchemy import select

from taiji.server.store.schema import accounts, visitors

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import Connection


def player_id(connection: Connection, user_id: str) -> str:
    """Return the account that took over a guest's games, or the id itself."""
    query = select(visitors.c.account_id).where(visitors.c.id == user_id)
    return connection.execute(query).scalar() or user_id


def player_ids(connection: Connection, user_id: str) -> frozenset[str]:
    """Return all ids of a player: of the account, and of the guests that it was."""
    owner = player_id(connection, user_id)
    former = connection.execute(select(visitors.c.id).where(visitors.c.account_id == owner)).scalars()
    return frozenset({owner, user_id, *former})


def lock_player(connection: Connection, ids: Collection[str]) -> None:
    """Let other transactions that lock the same player wait for this one; SQLite has one writer anyway."""
    for table in (accounts, visitors):
        connection.execute(select(table.c.id).where(table.c.id.in_(sorted(ids))).with_for_update())


def ids_of_players(connection: Connection, user_ids: Collection[str]) -> dict[str, frozenset[str]]:
    """Return, for each of some ids, all ids of the same player, by two queries."""
    wanted = sorted(user_ids)
    taken_over = select(visitors.c.id, visitors.c.account_id).where(
        visitors.c.id.in_(wanted), visitors.c.account_id.is_not(None)
    )
    owners = {one: one for one in wanted} | {row[0]: row[1] for row in connection.execute(taken_over)}
    former = select(visitors.c.id, visitors.c.account_id).where(
        visitors.c.account_id.in_(sorted(set(owners.values())))
    )
    guests: defaultdict[str, set[str]] = defaultdict(set)
    for guest, owner in connection.execute(former):
        guests[owner].add(guest)
    return {one: frozenset({one, owner, *guests[owner]}) for one, owner in owners.items()}


def distinct_players(connection: Connection, user_ids: Collection[str]) -> list[str]:
    """Return the players behind some ids, each once."""
    return sorted({player_id(connection, one) for one in user_ids})
