"""Accounts and their owners: change of password, reset by a recovery code, new codes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from taiji.server.contract.errors import ApiError
from taiji.server.identity import recovery
from taiji.server.store import audit
from taiji.server.store.schema import accounts

if TYPE_CHECKING:
    from sqlalchemy import Connection, RowMapping

    from taiji.server.identity.passwords import Passwords
    from taiji.server.identity.users import Account
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource


class AccountService:
    """What owners do with their accounts; sessions are ended by the caller."""

    def __init__(self, store: Store, passwords: Passwords, time: TimeSource) -> None:
        self._store = store
        self._passwords = passwords
        self._time = time

    async def confirm(self, account: Account, password: str) -> None:
        """Raise `ApiError` unless this is the account's password."""
        row = await self._store.read(partial(_by_id, account_id=account.id))
        if not await self._passwords.verify(row["password"] if row else None, password):
            raise ApiError("wrong-password", "wrong password")

    async def change_password(self, account: Account, current: str, new: str) -> None:
        """Set a new password."""
        await self.confirm(account, current)
        await self._passwords.refuse_common(new, account.name)
        hashed = await self._passwords.hash(new)
        await self._store.write(
            partial(self._set_password, account_id=account.id, hashed=hashed, action="password-changed")
        )

    async def reset_password(self, name: str, code: str, new: str) -> str:
        """Set a new password by a recovery code, which is used up; return the account's id.

        A name without account and a wrong code have the same answer after the same work.
        """
        await self._passwords.refuse_common(new, name)
        hashed = await self._passwords.hash(new)
        row = await self._store.read(partial(_by_name, name=name))
        account_id = row["id"] if row else ""
        write = partial(
            self._set_password, account_id=account_id, hashed=hashed, action="password-reset", code=code
        )
        if not await self._store.write(write):
            raise ApiError("wrong-code")
        return account_id

    def _set_password(
        self, connection: Connection, account_id: str, hashed: str, action: str, code: str | None = None
    ) -> bool:
        now = self._time.now()
        if code is not None and not recovery.use_code(connection, account_id, code, now):
            return False
        connection.execute(update(accounts).where(accounts.c.id == account_id).values(password=hashed))
        audit.add_entry(connection, action, account_id, at=now)
        return True

    async def new_codes(self, account: Account, password: str) -> list[str]:
        """Return a new set of recovery codes; the old ones open nothing any more."""
        await self.confirm(account, password)
        codes, now = recovery.new_codes(), self._time.now()

        def write(connection: Connection) -> None:
            recovery.replace_codes(connection, account.id, codes, now)
            audit.add_entry(connection, "codes-renewed", account.id, at=now)

        await self._store.write(write)
        return codes

    async def count_codes(self, account: Account) -> int:
        """Return how many recovery codes are left."""
        return await self._store.read(partial(recovery.count_unused, account_id=account.id))


def _by_id(connection: Connection, account_id: str) -> RowMapping | None:
    return connection.execute(select(accounts).where(accounts.c.id == account_id)).mappings().first()


def _by_name(connection: Connection, name: str) -> RowMapping | None:
    """Return the account of a name; one that an operator has closed cannot be recovered."""
    wanted = (accounts.c.name_key == name.lower(), accounts.c.closed_at.is_(None))
    return connection.execute(select(accounts).where(*wanted)).mappings().first()
