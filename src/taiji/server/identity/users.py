"""Users: visitors by their private cookie, accounts by password or bearer token."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from taiji.server.contract.accounts import TokenInfo
from taiji.server.contract.errors import ApiError
from taiji.server.contract.messages import AccountType
from taiji.server.domain.table import SeatedPlayer
from taiji.server.identity.credentials import hash_secret, new_id, new_secret, visitor_id
from taiji.server.store.schema import accounts, tokens, visitors

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

TOKEN_PREFIX = "taiji_"  # noqa: S105 - a prefix, so that leaked tokens can be recognised
MAX_CACHED_USERS = 20_000


@dataclass(frozen=True, slots=True)
class Account:
    """A registered name."""

    id: str
    name: str
    account_type: AccountType


@dataclass(frozen=True, slots=True)
class User:
    """A visitor or an account. `ids` also holds the ids from before the user signed in."""

    id: str
    ids: frozenset[str]
    name: str | None = None
    account: Account | None = None

    def seated_player(self) -> SeatedPlayer:
        """Return the user as a player."""
        return SeatedPlayer(self.id, self.name, self.account.account_type if self.account else "person")


ANONYMOUS = User("", frozenset())


class Users:
    """Visitors and accounts, with a cache of recent ones."""

    def __init__(self, store: Store, time: TimeSource) -> None:
        self._store = store
        self._time = time
        self._cache: OrderedDict[str, User] = OrderedDict()
        self._hashing = asyncio.Semaphore(2)

    # --- authentication ------------------------------------------------------------------------------------

    async def find_by_cookie(self, cookie: str) -> User:
        """Return the visitor with this cookie."""
        key = visitor_id(cookie)
        known = self._cache.get(key)
        if known is None:
            known = await self._store.read(partial(_find_visitor, key=key))
            self._cache_user(key, known)
        return known

    async def find_by_token(self, token: str) -> User:
        """Return the account of a bearer token."""
        key = hash_secret("token", token)
        known = self._cache.get(key)
        if known is None:
            account = await self._store.read(partial(_find_token, key=key))
            if account is None:
                raise ApiError("bad-token")
            known = account
            self._cache_user(key, known)
            used = update(tokens).where(tokens.c.hash == key).values(last_used_at=self._time.now())
            await self._store.write(lambda connection: connection.execute(used).rowcount)
        return known

    def _cache_user(self, key: str, user: User) -> None:
        self._cache[key] = user
        if len(self._cache) > MAX_CACHED_USERS:
            self._cache.popitem(last=False)

    def _evict(self, *ids: str) -> None:
        wanted = set(ids)
        for key in [key for key, user in self._cache.items() if key in wanted or wanted & user.ids]:
            del self._cache[key]

    async def find_account(self, name: str) -> Account | None:
        """Return the account of a name, ignoring case."""
        return await self._store.read(partial(_find_account, name=name))

    async def bots(self) -> list[Account]:
        """Return the accounts of bots."""
        query = (
            select(accounts).where(accounts.c.account_type == "bot").order_by(accounts.c.name_key).limit(200)
        )
        rows = await self._store.read(lambda connection: connection.execute(query).mappings().all())
        return [Account(row["id"], row["name"], row["account_type"]) for row in rows]

    # --- changing ------------------------------------------------------------------------------------------

    async def rename(self, user: User, cookie: str, name: str | None) -> User:
        """Set a visitor's display name; accounts cannot change theirs."""
        if user.account is not None:
            raise ApiError("name-taken", "an account cannot change its name")
        key = visitor_id(cookie)
        await self._store.write(partial(_write_visitor, key=key, now=self._time.now(), values={"name": name}))
        self._evict(key)
        return replace(user, name=name)

    async def register(self, cookie: str, name: str, password: str, *, bot: bool) -> None:
        """Create an account for the visitor with this cookie; it takes over the visitor's games."""
        async with self._hashing:
            hashed = await asyncio.to_thread(_hash, password)
        row = {
            "id": "a" + new_id(20),
            "name": name,
            "name_key": name.lower(),
            "password": hashed,
            "account_type": "bot" if bot else "person",
            "created_at": self._time.now(),
        }

        def write(connection: Connection) -> None:
            connection.execute(insert(accounts), [row])
            values = {"account_id": row["id"], "signed_in": True}
            _write_visitor(connection, visitor_id(cookie), self._time.now(), values)

        try:
            await self._store.write(write)
        except IntegrityError as error:
            raise ApiError("name-taken") from error
        self._evict(visitor_id(cookie))

    async def sign_in(self, cookie: str, name: str, password: str) -> str:
        """Check a password; return a new, signed-in cookie."""
        row = await self._store.read(partial(_password_row, name=name))
        async with self._hashing:
            fits = await asyncio.to_thread(_verify, row["password"] if row else None, password)
        if row is None or not fits:
            raise ApiError("wrong-password")
        fresh, now = new_secret(), self._time.now()

        def write(connection: Connection) -> None:
            # The account takes over the guest's games; the guest's cookie gains no access.
            values = {"account_id": row["id"]}
            if not _find_visitor(connection, visitor_id(cookie)).account:
                _write_visitor(connection, visitor_id(cookie), now, {**values, "signed_in": False})
            _write_visitor(connection, visitor_id(fresh), now, {**values, "signed_in": True})

        await self._store.write(write)
        self._evict(visitor_id(cookie), row["id"])
        return fresh

    async def sign_out(self, cookie: str) -> None:
        """Sign a cookie out."""
        key = visitor_id(cookie)
        await self._store.write(
            partial(_write_visitor, key=key, now=self._time.now(), values={"signed_in": False})
        )
        self._evict(key)

    # --- tokens --------------------------------------------------------------------------------------------

    async def list_tokens(self, account: Account) -> list[TokenInfo]:
        """Return an account's tokens without their secrets."""
        columns = (tokens.c.id, tokens.c.label, tokens.c.created_at, tokens.c.last_used_at)
        query = select(*columns).where(tokens.c.account_id == account.id).order_by(tokens.c.created_at)
        rows = await self._store.read(lambda connection: connection.execute(query).mappings().all())
        return [TokenInfo.model_validate(dict(row)) for row in rows]

    async def add_token(self, account: Account, label: str) -> tuple[str, str]:
        """Create a token; return its id and its secret, which is not stored."""
        token, identity = TOKEN_PREFIX + new_secret(), new_id()
        row = {
            "id": identity,
            "account_id": account.id,
            "hash": hash_secret("token", token),
            "label": label,
            "created_at": self._time.now(),
        }
        await self._store.write(lambda connection: connection.execute(insert(tokens), [row]).rowcount)
        return identity, token

    async def revoke_token(self, account: Account, identity: str) -> None:
        """Revoke a token."""
        statement = delete(tokens).where(tokens.c.id == identity, tokens.c.account_id == account.id)
        if not await self._store.write(lambda connection: connection.execute(statement).rowcount):
            raise ApiError("not-found")
        self._cache.clear()


def _hash(password: str) -> str:
    from argon2 import PasswordHasher

    return PasswordHasher().hash(password)


def _verify(hashed: str | None, password: str) -> bool:
    """Check a password; take as long if the account does not exist."""
    from argon2 import PasswordHasher
    from argon2.exceptions import Argon2Error

    if hashed is None:
        _hash(password)
        return False
    try:
        return PasswordHasher().verify(hashed, password)
    except Argon2Error:
        return False


def _find_visitor(connection: Connection, key: str) -> User:
    row = connection.execute(select(visitors).where(visitors.c.id == key)).mappings().first()
    if row is None:
        return User(key, frozenset({key}))
    if row["account_id"] is None or not row["signed_in"]:
        return User(key, frozenset({key}), row["name"])
    return _account_user(connection, row["account_id"])


def _account_user(connection: Connection, account_id: str) -> User:
    row = connection.execute(select(accounts).where(accounts.c.id == account_id)).mappings().one()
    former = connection.execute(select(visitors.c.id).where(visitors.c.account_id == account_id)).scalars()
    account = Account(row["id"], row["name"], row["account_type"])
    return User(account.id, frozenset({account.id, *former}), account.name, account)


def _find_token(connection: Connection, key: str) -> User | None:
    account_id = connection.execute(select(tokens.c.account_id).where(tokens.c.hash == key)).scalar()
    return None if account_id is None else _account_user(connection, account_id)


def _find_account(connection: Connection, name: str) -> Account | None:
    row = connection.execute(select(accounts).where(accounts.c.name_key == name.lower())).mappings().first()
    return None if row is None else Account(row["id"], row["name"], row["account_type"])


def _password_row(connection: Connection, name: str) -> dict[str, Any] | None:
    query = select(accounts.c.id, accounts.c.password).where(accounts.c.name_key == name.lower())
    row = connection.execute(query).mappings().first()
    return dict(row) if row else None


def _write_visitor(connection: Connection, key: str, now: int, values: dict[str, Any]) -> None:
    changed = connection.execute(update(visitors).where(visitors.c.id == key).values(**values))
    if not changed.rowcount:
        row = {"id": key, "name": None, "account_id": None, "signed_in": False, "created_at": now, **values}
        connection.execute(insert(visitors), [row])
