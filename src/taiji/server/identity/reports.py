"""Reports: what players tell the operators about others, and what the operators do with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select, update

from taiji.server.identity.moderation import ModerationError
from taiji.server.store import audit
from taiji.server.store.identities import player_id
from taiji.server.store.schema import accounts, visitors
from taiji.server.store.schema_talk import reports

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from taiji.server.contract.talk import NewReport
    from taiji.server.identity.moderation import Operator
    from taiji.server.identity.users import User
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A report as operators see it; a guest is named by the guest's id."""

    id: int
    created_at: int
    reporter: str
    reported: str
    table: str | None
    reason: str
    comment: str
    closed_at: int | None


class Reports:
    """Takes the reports of players."""

    def __init__(self, store: Store, time: TimeSource) -> None:
        self._store = store
        self._time = time

    async def add(self, user: User, target_id: str, report: NewReport) -> None:
        """Store a report; the same one again changes nothing while it is open."""
        now = self._time.now()

        def write(connection: Connection) -> None:
            reported = player_id(connection, target_id)
            same = (
                reports.c.reporter_id == user.id,
                reports.c.reported_id == reported,
                reports.c.reason == report.reason,
                reports.c.closed_at.is_(None),
            )
            if connection.execute(select(reports.c.id).where(*same).limit(1)).first() is not None:
                return
            row = {
                "reporter_id": user.id,
                "reported_id": reported,
                "table_id": report.table,
                "reason": report.reason,
                "comment": report.comment,
                "created_at": now,
            }
            connection.execute(insert(reports), [row])
            detail = f"{_name(connection, reported)}: {report.reason}"
            audit.add_entry(connection, "report", user.id, at=now, name=_stored_name(user), detail=detail)

        await self._store.write(write)


def _stored_name(user: User) -> str | None:
    return None if user.account is None else user.account.name


def list_reports(connection: Connection, limit: int = 100, *, closed: bool = False) -> list[ReportRow]:
    """Return the open reports, oldest first, or the closed ones, latest first."""
    query = select(reports).limit(limit)
    if closed:
        query = query.where(reports.c.closed_at.is_not(None)).order_by(reports.c.closed_at.desc())
    else:
        query = query.where(reports.c.closed_at.is_(None)).order_by(reports.c.created_at, reports.c.id)
    return [_report_row(connection, row) for row in connection.execute(query).mappings().all()]


def close_report(connection: Connection, report_id: int, by: Operator) -> ReportRow:
    """Close a report, after whatever was done about it."""
    wanted = (reports.c.id == report_id, reports.c.closed_at.is_(None))
    row = connection.execute(select(reports).where(*wanted)).mappings().first()
    if row is None:
        raise ModerationError(f"report {report_id}: not open (taiji admin reports shows those that are)")
    connection.execute(update(reports).where(reports.c.id == report_id).values(closed_at=by.now))
    shown = _report_row(connection, row)
    detail = ": ".join(filter(None, (f"report {report_id} of {shown.reason}", by.reason)))[:200]
    audit.add_entry(
        connection,
        "close-report",
        row["reported_id"],
        at=by.now,
        actor=by.name[:60],
        name=shown.reported,
        detail=detail,
    )
    return shown


def _report_row(connection: Connection, row: Any) -> ReportRow:
    return ReportRow(
        id=row["id"],
        created_at=row["created_at"],
        reporter=_name(connection, row["reporter_id"]),
        reported=_name(connection, row["reported_id"]),
        table=row["table_id"],
        reason=row["reason"],
        comment=row["comment"],
        closed_at=row["closed_at"],
    )


def _name(connection: Connection, user_id: str) -> str:
    """Return the name of an account, or what tells a guest apart from others."""
    account: str | None = connection.execute(select(accounts.c.name).where(accounts.c.id == user_id)).scalar()
    if account:
        return account
    guest = connection.execute(select(visitors.c.name).where(visitors.c.id == user_id)).scalar()
    return f"{guest} (guest {user_id[:8]})"[:24] if guest else f"guest {user_id[:8]}"
