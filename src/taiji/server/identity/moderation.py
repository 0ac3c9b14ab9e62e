"""Moderation: what operators do to accounts, on any connection and beside a running server.

The server follows the audit log, so every action is written there together with its effect.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, func, select, update

from taiji.server.contract.messages import AccountType
from taiji.server.domain.names import is_reserved, look_key
from taiji.server.store import audit
from taiji.server.store.player_names import rewrite_names
from taiji.server.store.schema import accounts, sessions, tokens, visitors

if TYPE_CHECKING:
    from sqlalchemy import Connection


NAMES = re.compile(r"[A-Za-z0-9_-]{2,24}")


class ModerationError(ValueError):
    """An action on an account that is not possible."""


@dataclass(frozen=True, slots=True)
class AccountRow:
    """An account as operators see it."""

    id: str
    name: str
    account_type: AccountType
    created_at: int
    closed_at: int | None
    muted_at: int | None
    sessions: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Operator:
    """Who acts, when and why."""

    name: str
    now: int
    reason: str = ""


def list_accounts(
    connection: Connection, contains: str = "", limit: int = 100, *, only: str | None = None
) -> list[AccountRow]:
    """Return accounts by name; `only` keeps those that are `closed` or `muted`."""
    query = select(accounts).where(accounts.c.deleted_at.is_(None)).order_by(accounts.c.name_key).limit(limit)
    if contains:
        query = query.where(accounts.c.name_key.contains(contains.lower(), autoescape=True))
    if only is not None:
        query = query.where({"closed": accounts.c.closed_at, "muted": accounts.c.muted_at}[only].is_not(None))
    return [_account_row(connection, row) for row in connection.execute(query).mappings().all()]


def _account_row(connection: Connection, row: Any) -> AccountRow:
    def count(table: Any) -> int:
        query = select(func.count()).select_from(table).where(table.c.account_id == row["id"])
        return connection.execute(query).scalar_one()

    return AccountRow(
        id=row["id"],
        name=row["name"],
        account_type=row["account_type"],
        created_at=row["created_at"],
        closed_at=row["closed_at"],
        muted_at=row["muted_at"],
        sessions=count(sessions),
        tokens=count(tokens),
    )


def find_account(connection: Connection, name: str) -> AccountRow:
    """Return the account of a name, or raise `ModerationError`."""
    wanted = (accounts.c.name_key == name.lower(), accounts.c.deleted_at.is_(None))
    row = connection.execute(select(accounts).where(*wanted)).mappings().first()
    if row is None:
        raise ModerationError(f"{name!r}: no such account (taiji admin list shows them)")
    return _account_row(connection, row)


def close_account(connection: Connection, name: str, by: Operator) -> None:
    """Close an account: its sessions and tokens end, and nobody can sign in."""
    account = find_account(connection, name)
    _set(connection, account, by, "close", closed_at=by.now)
    _end_credentials(connection, account.id, tokens_too=True)


def reopen_account(connection: Connection, name: str, by: Operator) -> None:
    """Let the owner of a closed account sign in again."""
    _set(connection, find_account(connection, name), by, "reopen", closed_at=None)


def mute_account(connection: Connection, name: str, by: Operator) -> None:
    """Mute an account: it plays, but addresses no strangers by challenges, names or titles."""
    _set(connection, find_account(connection, name), by, "mute", muted_at=by.now)


def unmute_account(connection: Connection, name: str, by: Operator) -> None:
    """Lift a mute."""
    _set(connection, find_account(connection, name), by, "unmute", muted_at=None)


def revoke_credentials(connection: Connection, name: str, by: Operator, *, tokens_too: bool = False) -> None:
    """End the sessions of an account, on request also its tokens."""
    account = find_account(connection, name)
    _end_credentials(connection, account.id, tokens_too=tokens_too)
    _log(connection, account, by, "revoke")


def rename_account(connection: Connection, name: str, by: Operator, *, new_name: str) -> None:
    """Give an account another name, also in its past games."""
    account, key = find_account(connection, name), look_key(new_name)
    if not NAMES.fullmatch(new_name):
        raise ModerationError(f"{new_name!r}: not a name (expected 2 to 24 letters, digits, - and _)")
    other = connection.execute(select(accounts.c.id).where(accounts.c.look_key == key)).scalar()
    if other not in (None, account.id) or is_reserved(new_name):
        raise ModerationError(f"{new_name!r}: the name is taken, or looks like one that is")
    values = {"name": new_name, "name_key": new_name.lower(), "look_key": key}
    _set(connection, account, by, "rename", detail=f"to {new_name}", **values)
    rewrite_names(connection, {account.id}, new_name)


def account_ids(connection: Connection, account_id: str) -> frozenset[str]:
    """Return the ids under which an account has played: its own and those of the guests it was."""
    former = connection.execute(select(visitors.c.id).where(visitors.c.account_id == account_id)).scalars()
    return frozenset({account_id, *former})


def _set(
    connection: Connection, account: AccountRow, by: Operator, action: str, detail: str = "", **values: Any
) -> None:
    connection.execute(update(accounts).where(accounts.c.id == account.id).values(**values))
    _log(connection, account, by, action, detail)


def _log(connection: Connection, account: AccountRow, by: Operator, action: str, detail: str = "") -> None:
    text = ": ".join(filter(None, (detail, by.reason)))[:200]
    audit.add_entry(
        connection, action, account.id, at=by.now, actor=by.name[:60], name=account.name, detail=text
    )


def _end_credentials(connection: Connection, account_id: str, *, tokens_too: bool) -> None:
    for table in (sessions, tokens) if tokens_too else (sessions,):
        connection.execute(delete(table).where(table.c.account_id == account_id))
