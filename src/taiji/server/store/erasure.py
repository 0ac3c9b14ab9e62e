"""Erasure: what is left of a user who deletes everything; games stay whole for their opponents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, or_, update

from taiji.server.store import audit
from taiji.server.store.player_names import rewrite_names
from taiji.server.store.schema import (
    accounts,
    rating_history,
    ratings,
    records,
    recovery_codes,
    reviews,
    seat_links,
    sessions,
    tokens,
    visitors,
)

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection


def erase_user(connection: Connection, ids: frozenset[str], account_id: str | None, now: int) -> None:
    """Delete what a user owns, and take the name from what belongs to others too.

    Of an account its random id and the key of its name are left, so that ratings of opponents stay explained
    and nobody takes over the name.
    """
    rewrite_names(connection, ids, None)
    mine = sorted(ids)
    for table in (records, reviews):
        connection.execute(delete(table).where(table.c.owner_id.in_(mine)))
    connection.execute(delete(seat_links).where(seat_links.c.creator_id.in_(mine)))
    owners: list[ColumnElement[bool]] = [sessions.c.visitor_id.in_(mine)]
    if account_id is not None:
        owners.append(sessions.c.account_id == account_id)
        for table in (tokens, recovery_codes, ratings, rating_history):
            connection.execute(delete(table).where(table.c.account_id == account_id))
    connection.execute(delete(sessions).where(or_(*owners)))
    connection.execute(delete(visitors).where(visitors.c.id.in_(mine)))
    if account_id is not None:
        left = {"name": "", "name_key": f"#{account_id}", "password": "", "deleted_at": now}
        connection.execute(update(accounts).where(accounts.c.id == account_id).values(left))
        audit.forget_name(connection, account_id)
        audit.add_entry(connection, "deleted", account_id, at=now)
