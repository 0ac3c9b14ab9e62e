"""Retention: games that both players left, and what belongs to guests whom nothing leads to, are deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import and_, delete, select

from taiji.server.store.schema import events, opening_queue, rating_queue, seat_links, tables, visitors
from taiji.server.store.schema_people import follows, pair_requests, pairing_slots, puzzle_tries
from taiji.server.store.schema_talk import blocks, notification_settings, notifications, phrases, vacations

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import ColumnElement, Connection

DAY_MS = 86_400_000
MAX_DELETED = 500
"""Tables per run; a larger number would delay the moves that wait for the same writer."""
OPPONENTS = ("computer", "link", "open", "player")
"""Games of tournaments are kept: their results count."""


GUEST_COLUMNS = (
    blocks.c.blocker_id,
    blocks.c.blocked_id,
    follows.c.follower_id,
    notification_settings.c.user_id,
    notifications.c.user_id,
    pair_requests.c.user_id,
    pairing_slots.c.user_id,
    puzzle_tries.c.user_id,
    vacations.c.user_id,
)
"""What is deleted with a guest; games and their records stay for the opponents and by their links."""


def _is_abandoned(before: int) -> ColumnElement[bool]:
    """Return the condition of an unfinished game that nobody has touched since a time."""
    second_game = and_(tables.c.match_id.is_not(None), tables.c.match_game_no == 2)
    return and_(
        tables.c.status.in_(("waiting", "playing")),
        tables.c.opponent.in_(OPPONENTS),
        tables.c.updated_at < before,
        tables.c.rated.is_(False),
        ~second_game,
    )


def find_abandoned(connection: Connection, before: int) -> list[str]:
    """Return unfinished games that nobody has touched since a time; none that is rated or ends a match."""
    query = select(tables.c.id).where(_is_abandoned(before)).limit(MAX_DELETED)
    return list(connection.execute(query).scalars())


def delete_abandoned(connection: Connection, ids: Collection[str], before: int) -> int:
    """Delete games with their events and links, unless somebody has come back; return their number."""
    wanted = select(tables.c.id).where(tables.c.id.in_(sorted(ids)), _is_abandoned(before))
    gone = list(connection.execute(wanted).scalars())
    if not gone:
        return 0
    for table in (events, seat_links, rating_queue, opening_queue, phrases):
        connection.execute(delete(table).where(table.c.table_id.in_(gone)))
    return connection.execute(delete(tables).where(tables.c.id.in_(gone))).rowcount


def delete_guests(connection: Connection, ids: Collection[str], lost: ColumnElement[bool]) -> int:
    """Delete those of these guests who are still lost, with what only they could see; return their number."""
    wanted = select(visitors.c.id).where(visitors.c.id.in_(sorted(ids)), lost)
    gone = list(connection.execute(wanted).scalars())
    if gone:
        for column in GUEST_COLUMNS:
            connection.execute(delete(column.table).where(column.in_(gone)))
        connection.execute(delete(visitors).where(visitors.c.id.in_(gone)))
    return len(gone)
