"""The audit log: what operators and owners did to accounts, and how a running server learns of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, insert, select, update

from taiji.server.store.schema import accounts, audit_log

if TYPE_CHECKING:
    from sqlalchemy import Connection

OWNER = "owner"
"""The actor of what an account's owner did; operators are named."""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One action on an account."""

    id: int
    at: int
    actor: str
    action: str
    account_id: str | None
    name: str | None
    """The account's name at that time; None once the account is deleted."""
    detail: str


def add_entry(
    connection: Connection,
    action: str,
    account_id: str | None,
    *,
    at: int,
    actor: str = OWNER,
    name: str | None = None,
    detail: str = "",
) -> None:
    """Write an entry."""
    row = {
        "at": at,
        "actor": actor,
        "action": action,
        "account_id": account_id,
        "name": name,
        "detail": detail,
    }
    connection.execute(insert(audit_log), [row])


def last_id(connection: Connection) -> int:
    """Return the number of the last entry, or 0."""
    return connection.execute(select(func.max(audit_log.c.id))).scalar() or 0


def entries_after(connection: Connection, entry_id: int) -> list[AuditEntry]:
    """Return the entries after one, oldest first."""
    query = select(audit_log).where(audit_log.c.id > entry_id).order_by(audit_log.c.id)
    return [AuditEntry(**row) for row in connection.execute(query).mappings()]


def latest_entries(
    connection: Connection, limit: int = 100, account_id: str | None = None
) -> list[AuditEntry]:
    """Return the latest entries, newest first."""
    query = select(audit_log).order_by(audit_log.c.id.desc()).limit(limit)
    if account_id is not None:
        query = query.where(audit_log.c.account_id == account_id)
    return [AuditEntry(**row) for row in connection.execute(query).mappings()]


def forget_name(connection: Connection, account_id: str) -> None:
    """Remove the name and the details of a deleted account from the log; its actions stay."""
    mine = audit_log.c.account_id == account_id
    connection.execute(update(audit_log).where(mine).values(name=None, detail=""))


def account_name(connection: Connection, account_id: str) -> str | None:
    """Return the current name of an account."""
    return connection.execute(select(accounts.c.name).where(accounts.c.id == account_id)).scalar()
