"""Users: guests and accounts, their names, passwords and bearer tokens."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from taiji.server.contract.accounts import TokenInfo
from taiji.server.contract.errors import ApiError
from taiji.server.contract.messages import AccountType
from taiji.server.domain.names import guest_name, is_reserved, is_server_name, look_key
from taiji.server.domain.table import SeatedPlayer
from taiji.server.identity.cache import CachedUser
from taiji.server.identity.credentials import hash_secret, new_id, new_secret
from taiji.server.identity.recovery import new_codes, replace_codes
from taiji.server.store import audit
from taiji.server.store.schema import accounts, tokens, visitors

if TYPE_CHECKING:
    from sqlalchemy import Connection, RowMapping

    from taiji.server.identity.cache import UserCache
    from taiji.server.identity.passwords import Passwords
    from taiji.server.identity.watch import CredentialWatch
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

TOKEN_PREFIX = "taiji_"  # noqa: S105 - a prefix, so that leaked tokens can be recognised


@dataclass(frozen=True, slots=True)
class Account:
    """A registered name."""

    id: str
    name: str
    account_type: AccountType
    is_muted: bool = False
    """An operator has muted it: it addresses no strangers."""


@dataclass(frozen=True, slots=True)
class User:
    """A guest or an account. `ids` also holds the ids from before the user signed in."""

    id: str
    ids: frozenset[str]
    name: str | None = None
    account: Account | None = None
    credential: str = ""
    """What proves who asks, `session:ID` or `token:ID`; its end closes the sockets and streams."""
    last_account_id: str | None = None
    """The account that was signed in before in this browser."""

    @property
    def session_id(self) -> str | None:
        """The id of the session, or None if a token proves who asks."""
        kind, _, identity = self.credential.partition(":")
        return identity if kind == "session" else None

    def refuse_muted(self) -> None:
        """Raise `ApiError` if an operator has muted the account, which must not address strangers."""
        if self.account is not None and self.account.is_muted:
            raise ApiError("muted")

    def seated_player(self) -> SeatedPlayer:
        """Return the user as a player."""
        if self.account is None:
            return SeatedPlayer(self.id, self.name, guest=True)
        return SeatedPlayer(self.id, self.name, self.account.account_type)


ANONYMOUS = User("", frozenset())


class Users:
    """Guests and accounts."""

    def __init__(
        self,
        store: Store,
        cache: UserCache,
        watch: CredentialWatch,
        passwords: Passwords,
        time: TimeSource,
    ) -> None:
        self._store = store
        self._passwords = passwords
        self._cache = cache
        self._watch = watch
        self._time = time

    # --- authentication ------------------------------------------------------------------------------------

    async def find_by_token(self, token: str) -> User:
        """Return the account of a bearer token."""
        key = hash_secret("token", token)
        cached = self._cache.get(key)
        if cached is None:
            generation = self._cache.generation
            user = await self._store.read(partial(_find_token, key=key))
            if user is None:
                raise ApiError("bad-token")
            cached = CachedUser(user)
            self._cache.put(key, cached, generation)
            used = update(tokens).where(tokens.c.hash == key).values(last_used_at=self._time.now())
            await self._store.write(lambda connection: connection.execute(used).rowcount)
        return cached.user

    def evict(self, *ids: str) -> None:
        """Forget the cached users with one of these ids."""
        self._cache.evict(*ids)

    async def find_account(self, name: str) -> Account | None:
        """Return the account of a name, ignoring case."""
        return await self._store.read(partial(_find_account, name=name))

    async def bots(self) -> list[Account]:
        """Return the accounts of bots."""
        query = (
            select(accounts)
            .where(
                accounts.c.account_type == "bot",
                accounts.c.closed_at.is_(None),
                accounts.c.deleted_at.is_(None),
            )
            .order_by(accounts.c.name_key)
            .limit(200)
        )
        rows = await self._store.read(lambda connection: connection.execute(query).mappings().all())
        return [_account(row) for row in rows]

    # --- changing ------------------------------------------------------------------------------------------

    async def rename(self, user: User, name: str | None) -> User:
        """Set a guest's display name; accounts cannot change theirs."""
        if user.account is not None:
            raise ApiError("name-taken", "an account cannot change its name")
        if name is not None:
            await self.refuse_account_name(name)
        values = {"name": name, "look_key": None if name is None else look_key(name)}
        renamed = update(visitors).where(visitors.c.id == user.id).values(values)
        await self._store.write(lambda connection: connection.execute(renamed).rowcount)
        self.evict(user.id)
        return replace(user, name=name or guest_name(user.id))

    async def refuse_account_name(self, name: str) -> None:
        """Raise `ApiError` if a guest's name is, or looks like, that of an account or of the server."""
        wanted = select(accounts.c.id).where(accounts.c.look_key == look_key(name))
        taken = await self._store.read(lambda connection: connection.execute(wanted).first() is not None)
        if taken or is_server_name(name):
            raise ApiError("name-taken")

    async def register(self, name: str, password: str, *, bot: bool) -> tuple[Account, list[str]]:
        """Create an account and its recovery codes; signing in moves the guest's games into it."""
        if is_reserved(name):
            raise ApiError("name-taken")
        await self._passwords.refuse_common(password, name)
        hashed = await self._passwords.hash(password)
        account = Account("a" + new_id(20), name, "bot" if bot else "person")
        row = {
            "id": account.id,
            "name": name,
            "name_key": name.lower(),
            "look_key": look_key(name),
            "password": hashed,
            "account_type": account.account_type,
            "created_at": self._time.now(),
        }
        codes, now = new_codes(), self._time.now()

        def write(connection: Connection) -> list[str]:
            connection.execute(insert(accounts), [row])
            replace_codes(connection, account.id, codes, now)
            audit.add_entry(connection, "registered", account.id, at=now)
            return _take_name(connection, look_key(name))

        try:
            renamed = await self._store.write(write)
        except IntegrityError as error:
            raise ApiError("name-taken") from error
        self.evict(*renamed)
        return account, codes

    async def check_password(self, name: str, password: str) -> str:
        """Return the id of the account with this name and password, or raise `ApiError`."""
        row = await self._store.read(partial(_password_row, name=name))
        fits = await self._passwords.verify(row["password"] if row else None, password)
        if row is None or not fits:
            raise ApiError("wrong-password")
        if row["closed_at"] is not None:
            raise ApiError("account-closed")
        identity: str = row["id"]
        return identity

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
        self.evict(f"token:{identity}")
        self._watch.end(f"token:{identity}")


def account_user(
    connection: Connection, account_id: str, credential: str = "", last_account_id: str | None = None
) -> User:
    """Return an account with the ids of the guests whose games it took over."""
    row = connection.execute(select(accounts).where(accounts.c.id == account_id)).mappings().one()
    former = connection.execute(select(visitors.c.id).where(visitors.c.account_id == account_id)).scalars()
    account = _account(row)
    ids = frozenset({account.id, *former})
    return User(account.id, ids, account.name, account, credential, last_account_id)


def _find_token(connection: Connection, key: str) -> User | None:
    row = connection.execute(select(tokens).where(tokens.c.hash == key)).mappings().first()
    return None if row is None else account_user(connection, row["account_id"], f"token:{row['id']}")


def _find_account(connection: Connection, name: str) -> Account | None:
    row = connection.execute(select(accounts).where(accounts.c.name_key == name.lower())).mappings().first()
    return None if row is None else _account(row)


def _account(row: RowMapping) -> Account:
    return Account(row["id"], row["name"], row["account_type"], row["muted_at"] is not None)


def _take_name(connection: Connection, key: str) -> list[str]:
    """Take a name from the guests who wear it or one that looks like it; return their ids."""
    wearing = list(connection.execute(select(visitors.c.id).where(visitors.c.look_key == key)).scalars())
    taken = update(visitors).where(visitors.c.look_key == key).values(name=None, look_key=None)
    connection.execute(taken)
    return wearing


def _password_row(connection: Connection, name: str) -> dict[str, Any] | None:
    columns = (accounts.c.id, accounts.c.password, accounts.c.closed_at)
    query = select(*columns).where(accounts.c.name_key == name.lower())
    row = connection.execute(query).mappings().first()
    return dict(row) if row else None
