"""Erasure: what is left of a user who deletes everything; games stay whole for their opponents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, or_, select, update

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
from taiji.server.store.schema_people import (
    follows,
    game_results,
    pair_requests,
    pairing_slots,
    puzzle_ratings,
    puzzle_tries,
)
from taiji.server.store.schema_talk import (
    blocks,
    notification_settings,
    notifications,
    push_subscriptions,
    reports,
    vacations,
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
    connection.execute(delete(puzzle_tries).where(puzzle_tries.c.user_id.in_(mine)))
    owners: list[ColumnElement[bool]] = [sessions.c.visitor_id.in_(mine)]
    if account_id is not None:
        owners.append(sessions.c.account_id == account_id)
        for table in (tokens, recovery_codes, ratings, rating_history):
            connection.execute(delete(table).where(table.c.account_id == account_id))
        for table in (puzzle_ratings, game_results):
            connection.execute(delete(table).where(table.c.account_id == account_id))
    followed = or_(follows.c.follower_id.in_(mine), follows.c.followed_id.in_(mine))
    connection.execute(delete(follows).where(followed))
    for table in (pairing_slots, pair_requests):
        connection.execute(delete(table).where(table.c.user_id.in_(mine)))
    _erase_talk(connection, mine)
    ended = select(sessions.c.id).where(or_(*owners))
    connection.execute(delete(push_subscriptions).where(push_subscriptions.c.session_id.in_(ended)))
    connection.execute(delete(sessions).where(or_(*owners)))
    connection.execute(delete(visitors).where(visitors.c.id.in_(mine)))
    if account_id is not None:
        left = {"name": "", "name_key": f"#{account_id}", "password": "", "deleted_at": now}
        connection.execute(update(accounts).where(accounts.c.id == account_id).values(left))
        audit.forget_name(connection, account_id)
        audit.add_entry(connection, "deleted", account_id, at=now)


def _erase_talk(connection: Connection, mine: list[str]) -> None:
    """Delete whom a user has blocked or reported, and what the user was told; nothing is left to block."""
    for column in (
        blocks.c.blocker_id,
        blocks.c.blocked_id,
        reports.c.reporter_id,
        reports.c.reported_id,
        notifications.c.user_id,
        notification_settings.c.user_id,
        vacations.c.user_id,
    ):
        connection.execute(delete(column.table).where(column.in_(mine)))
