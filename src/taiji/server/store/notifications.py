"""Rows of notifications: one per player, kind and table, and the settings of a player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, func, insert, select, update

from taiji.server.contract.notifications import NotificationInfo, NotificationList, NotificationSettings
from taiji.server.store.schema_talk import notification_settings, notifications

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import ColumnElement, Connection

    from taiji.server.contract.notifications import NotificationKind

MAX_LISTED = 50
_MINE = notifications.c.user_id.in_(bindparam("ids", expanding=True))
_LATEST = select(notifications).where(_MINE).order_by(notifications.c.at.desc()).limit(MAX_LISTED)
_UNREAD = select(func.count()).where(_MINE, notifications.c.read_at.is_(None))
"""Built once: every page asks them."""
KEPT_MS = 60 * 86_400_000
"""How long a notification is kept."""


def put(
    connection: Connection,
    user_id: str,
    kind: NotificationKind,
    table_id: str,
    *,
    version: int,
    data: dict[str, Any],
    at: int,
    listed: bool,
) -> bool:
    """Write a notification unless this or a later one is known; return whether it is new.

    The row decides who sends the push, so that several servers, or a repeated event, send it once.
    """
    key = (
        notifications.c.user_id == user_id,
        notifications.c.kind == kind,
        notifications.c.table_id == table_id,
    )
    known = connection.execute(select(notifications.c.version).where(*key)).scalar()
    if known is not None and known >= version:
        return False
    values = {"version": version, "data": data, "at": at, "read_at": None if listed else at}
    if known is None:
        row = {"user_id": user_id, "kind": kind, "table_id": table_id, **values}
        connection.execute(insert(notifications), [row])
    else:
        connection.execute(update(notifications).where(*key).values(**values))
    return True


def remove(
    connection: Connection, user_ids: Collection[str], kind: NotificationKind, table_id: str, before: int
) -> int:
    """Delete notifications from before a version of the table, about which nothing is left to do."""
    wanted = (
        notifications.c.user_id.in_(sorted(user_ids)),
        notifications.c.kind == kind,
        notifications.c.table_id == table_id,
        notifications.c.version < before,
    )
    return connection.execute(delete(notifications).where(*wanted)).rowcount


def read_list(connection: Connection, ids: Collection[str]) -> NotificationList:
    """Return the notifications of a player, latest first."""
    mine = {"ids": sorted(ids)}
    rows = connection.execute(_LATEST, mine).mappings().all()
    # A list that is not full holds every notification, so that nothing is left to count.
    unread = sum(row["read_at"] is None for row in rows)
    if len(rows) == MAX_LISTED:
        unread = connection.execute(_UNREAD, mine).scalar_one()
    return NotificationList(
        notifications=[
            NotificationInfo(
                kind=row["kind"],
                table=row["table_id"],
                at=row["at"],
                read=row["read_at"] is not None,
                **row["data"],
            )
            for row in rows
        ],
        unread=unread,
    )


def mark_read(connection: Connection, ids: Collection[str], table_id: str | None, now: int) -> int:
    """Mark the notifications of a table, or all, as read; return how many were not."""
    wanted: list[ColumnElement[bool]] = [
        notifications.c.user_id.in_(sorted(ids)),
        notifications.c.read_at.is_(None),
    ]
    if table_id is not None:
        wanted.append(notifications.c.table_id == table_id)
    return connection.execute(update(notifications).where(*wanted).values(read_at=now)).rowcount


def purge(connection: Connection, now: int) -> None:
    """Delete old notifications."""
    connection.execute(delete(notifications).where(notifications.c.at < now - KEPT_MS))


def read_settings(connection: Connection, user_id: str) -> NotificationSettings:
    """Return the settings of a player."""
    query = select(notification_settings.c.data).where(notification_settings.c.user_id == user_id)
    data = connection.execute(query).scalar()
    return NotificationSettings() if data is None else NotificationSettings.model_validate(data)


def write_settings(connection: Connection, user_id: str, settings: NotificationSettings) -> None:
    """Store the settings of a player."""
    connection.execute(delete(notification_settings).where(notification_settings.c.user_id == user_id))
    row = {"user_id": user_id, "data": settings.model_dump()}
    connection.execute(insert(notification_settings), [row])
