"""Who is asking: visitors by their private cookie, accounts by password or bearer token."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from taiji.server.contract.errors import ApiError
from taiji.server.domain.table import AccountType, SeatedPlayer
from taiji.server.identity.credentials import hash_secret, new_id, new_secret, visitor_id
from taiji.server.store.schema import accounts, tokens, visitors

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

TOKEN_PREFIX = "taiji_"  # noqa: S105 - how a token begins, so that one is recognised where it leaked
MAX_CACHED_USERS = 20_000


@dataclass(frozen=True, slots=True)
class Account:
    """A name that somebody keeps."""

    id: str
    name: str
    account_type: AccountType


@dataclass(frozen=True, slots=True)
class User:
    """Somebody. `id` is who they are from now on, `ids` also what they were before they signed in."""

    id: str
    ids: frozenset[str]
    name: str | None = None
    account: Account | None = None

    def seated_player(self) -> SeatedPlayer:
        """Return how this person sits at a table."""
        return SeatedPlayer(self.id, self.name, self.account.account_type if self.account else "person")


ANONYMOUS = User("", frozenset())


class Users:
    """Knows visitors and accounts, and remembers those seen lately."""

    def __init__(self, store: Store, times: TimeSource) -> None:
        self._store = store
        self._times = times
        self._cache: OrderedDict[str, User] = OrderedDict()
        self._hashing = asyncio.Semaphore(2)

    # --- recognising ---------------------------------------------------------------------------------------

    async def find_by_cookie(self, cookie: str) -> User:
        """Return the visitor who holds this cookie."""
        key = visitor_id(cookie)
        known = self._cache.get(key)
        if known is None:
            known = await self._store.read(partial(_find_visitor, key=key))
            self._cache_user(key, known)
        return known

    async def find_by_token(self, token: str) -> User:
        """Return the account that a bearer token belongs to."""
        key = hash_secret("token", token)
        known = self._cache.get(key)
        if known is None:
            found = await self._store.read(partial(_find_token, key=key))
            if found is None:
                raise ApiError("bad-token")
            known = found
            self._cache_user(key, known)
            used = update(tokens).where(tokens.c.hash == key).values(used=self._times.now())
            await self._store.write(lambda connection: connection.execute(used).rowcount)
        return known

    def _cache_user(self, key: str, person: User) -> None:
        self._cache[key] = person
        if len(self._cache) > MAX_CACHED_USERS:
            self._cache.popitem(last=False)

    def _evict(self, *ids: str) -> None:
        wanted = set(ids)
        for key in [key for key, person in self._cache.items() if key in wanted or wanted & person.ids]:
            del self._cache[key]

    async def find_account(self, name: str) -> Account | None:
        """Return the account of a name, in any case."""
        return await self._store.read(partial(_find_account, name=name))

    async def bots(self) -> list[Account]:
        """Return the accounts of bots."""
        query = select(accounts).where(accounts.c.kind == "bot").order_by(accounts.c.name_key).limit(200)
        rows = await self._store.read(lambda connection: connection.execute(query).mappings().all())
        return [Account(row["id"], row["name"], row["kind"]) for row in rows]

    # --- changing ------------------------------------------------------------------------------------------

    async def rename(self, person: User, cookie: str, name: str | None) -> User:
        """Give a visitor the name that others see; an account keeps its own."""
        if person.account is not None:
            raise ApiError("name-taken", "an account keeps its name")
        key = visitor_id(cookie)
        await self._store.write(
            partial(_write_visitor, key=key, now=self._times.now(), values={"name": name})
        )
        self._evict(key)
        return replace(person, name=name)

    async def register(self, cookie: str, name: str, password: str, *, bot: bool) -> None:
        """Make an account for the visitor who holds the cookie; the visitor's games go along."""
        async with self._hashing:
            hashed = await asyncio.to_thread(_hash, password)
        row = {
            "id": "a" + new_id(20),
            "name": name,
            "name_key": name.lower(),
            "password": hashed,
            "kind": "bot" if bot else "person",
            "created": self._times.now(),
        }

        def write(connection: Connection) -> None:
            connection.execute(insert(accounts), [row])
            values = {"account": row["id"], "signed_in": True}
            _write_visitor(connection, visitor_id(cookie), self._times.now(), values)

        try:
            await self._store.write(write)
        except IntegrityError as error:
            raise ApiError("name-taken") from error
        self._evict(visitor_id(cookie))

    async def sign_in(self, cookie: str, name: str, password: str) -> str:
        """Check a password; return a new cookie that is signed in."""
        row = await self._store.read(partial(_password_row, name=name))
        async with self._hashing:
            fits = await asyncio.to_thread(_verify, row["password"] if row else None, password)
        if row is None or not fits:
            raise ApiError("wrong-password")
        fresh, now = new_secret(), self._times.now()

        def write(connection: Connection) -> None:
            # The guest's games come along; the guest's own cookie opens nothing more than it did.
            values = {"account": row["id"]}
            if not _find_visitor(connection, visitor_id(cookie)).account:
                _write_visitor(connection, visitor_id(cookie), now, {**values, "signed_in": False})
            _write_visitor(connection, visitor_id(fresh), now, {**values, "signed_in": True})

        await self._store.write(write)
        self._evict(visitor_id(cookie), row["id"])
        return fresh

    async def sign_out(self, cookie: str) -> None:
        """Take a cookie's account away from it."""
        key = visitor_id(cookie)
        await self._store.write(
            partial(_write_visitor, key=key, now=self._times.now(), values={"signed_in": False})
        )
        self._evict(key)

    # --- tokens --------------------------------------------------------------------------------------------

    async def list_tokens(self, account: Account) -> list[dict[str, Any]]:
        """Return an account's tokens, without what they are."""
        columns = (tokens.c.id, tokens.c.label, tokens.c.created, tokens.c.used)
        query = select(*columns).where(tokens.c.account == account.id).order_by(tokens.c.created)
        return await self._store.read(lambda c: [dict(row) for row in c.execute(query).mappings()])

    async def add_token(self, account: Account, label: str) -> tuple[str, str]:
        """Make a token; return its id and the token itself, which nobody can read again."""
        token, identity = TOKEN_PREFIX + new_secret(), new_id()
        row = {
            "id": identity,
            "account": account.id,
            "hash": hash_secret("token", token),
            "label": label,
            "created": self._times.now(),
        }
        await self._store.write(lambda connection: connection.execute(insert(tokens), [row]).rowcount)
        return identity, token

    async def revoke_token(self, account: Account, identity: str) -> None:
        """Make a token worthless."""
        statement = delete(tokens).where(tokens.c.id == identity, tokens.c.account == account.id)
        if not await self._store.write(lambda connection: connection.execute(statement).rowcount):
            raise ApiError("not-found")
        self._cache.clear()


def _hash(password: str) -> str:
    from argon2 import PasswordHasher

    return PasswordHasher().hash(password)


def _verify(hashed: str | None, password: str) -> bool:
    """Check a password; without an account, take as long all the same."""
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
    if row["account"] is None or not row["signed_in"]:
        return User(key, frozenset({key}), row["name"])
    return _account_user(connection, row["account"])


def _account_user(connection: Connection, account_id: str) -> User:
    row = connection.execute(select(accounts).where(accounts.c.id == account_id)).mappings().one()
    former = connection.execute(select(visitors.c.id).where(visitors.c.account == account_id)).scalars()
    account = Account(row["id"], row["name"], row["kind"])
    return User(account.id, frozenset({account.id, *former}), account.name, account)


def _find_token(connection: Connection, key: str) -> User | None:
    account_id = connection.execute(select(tokens.c.account).where(tokens.c.hash == key)).scalar()
    return None if account_id is None else _account_user(connection, account_id)


def _find_account(connection: Connection, name: str) -> Account | None:
    row = connection.execute(select(accounts).where(accounts.c.name_key == name.lower())).mappings().first()
    return None if row is None else Account(row["id"], row["name"], row["kind"])


def _password_row(connection: Connection, name: str) -> dict[str, Any] | None:
    query = select(accounts.c.id, accounts.c.password).where(accounts.c.name_key == name.lower())
    row = connection.execute(query).mappings().first()
    return dict(row) if row else None


def _write_visitor(connection: Connection, key: str, now: int, values: dict[str, Any]) -> None:
    changed = connection.execute(update(visitors).where(visitors.c.id == key).values(**values))
    if not changed.rowcount:
        row = {"id": key, "name": None, "account": None, "signed_in": False, "created": now, **values}
        connection.execute(insert(visitors), [row])
