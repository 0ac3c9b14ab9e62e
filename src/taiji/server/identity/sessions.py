"""Sessions: issued, rotated and revoked only by the server, which stores nothing but a hash of the token."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, delete, insert, select, update

from taiji.server.contract.accounts import SessionInfo
from taiji.server.contract.errors import ApiError
from taiji.server.domain.names import guest_name
from taiji.server.identity.cache import CachedUser
from taiji.server.identity.credentials import hash_secret, legacy_visitor_id, new_id, new_secret
from taiji.server.identity.users import User, account_user
from taiji.server.store.retention import delete_guests
from taiji.server.store.schema import sessions, tokens, visitors

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, RowMapping, Select

    from taiji.server.identity.cache import UserCache
    from taiji.server.identity.watch import CredentialWatch
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
GUEST_IDLE_MS, GUEST_LIFETIME_MS = 180 * DAY_MS, 400 * DAY_MS
"""A guest cannot sign in again, so that the session is all that leads to the games."""
ACCOUNT_IDLE_MS, ACCOUNT_LIFETIME_MS = 30 * DAY_MS, 180 * DAY_MS
UNUSED_MS = DAY_MS
"""A session that is never used again, such as a crawler's."""
TOUCH_MS = HOUR_MS
"""How exactly the time of the last use is stored."""
LEGACY_GRACE_MS = HOUR_MS
"""How long a cookie of version 0.1 is exchanged again: several tabs may open at once."""
MAX_IDS_PER_QUERY = 500

Prepare = Callable[[Connection], Sequence[str]]


@dataclass(frozen=True, slots=True)
class NewSession:
    """A session and its token, which is sent only now."""

    token: str
    user: User
    ends_at: int


class SessionService:
    """The sessions of guests and accounts."""

    def __init__(self, store: Store, cache: UserCache, watch: CredentialWatch, time: TimeSource) -> None:
        self._store = store
        self._cache = cache
        self._watch = watch
        self._time = time

    # --- authentication ------------------------------------------------------------------------------------

    async def find(self, token: str) -> User | None:
        """Return the user of a session, or None if the server did not issue it or it has ended."""
        key, now = hash_secret("session", token), self._time.now()
        cached = self._cache.get(key)
        if cached is None:
            generation = self._cache.generation
            cached = await self._store.read(partial(_find_session, key=key))
            if cached is None:
                return None
            self._cache.put(key, cached, generation)
        if _ends_at(cached.user.account is not None, cached.created_at, cached.last_used_at) <= now:
            return None
        if cached.last_used_at is None or cached.last_used_at <= now - TOUCH_MS:
            self._touch(key, cached, now)
        return cached.user

    def _touch(self, key: str, cached: CachedUser, now: int) -> None:
        """Store that a session is used, without making the request wait."""
        cached.last_used_at = now
        used = update(sessions).where(sessions.c.hash == key).values(last_used_at=now)
        future = self._store.write(lambda connection: connection.execute(used).rowcount)
        future.add_done_callback(lambda done: done.cancelled() or done.exception())

    # --- issuing and rotating ------------------------------------------------------------------------------

    async def issue(self, device: str = "", last_account_id: str | None = None) -> NewSession:
        """Issue the session of a new guest."""
        visitor = {"id": "v" + new_id(24), "created_at": self._time.now()}
        values = {"visitor_id": visitor["id"], "last_account_id": last_account_id}

        def prepare(connection: Connection) -> Sequence[str]:
            connection.execute(insert(visitors), [visitor])
            return ()

        return await self._issue(values, device, prepare)

    async def exchange(self, cookie: str, device: str = "") -> NewSession | None:
        """Issue a session for a cookie of version 0.1, if a guest played with it before the upgrade."""
        identity, now = legacy_visitor_id(cookie), self._time.now()
        open_until = select(visitors.c.legacy_until).where(
            visitors.c.id == identity, visitors.c.account_id.is_(None)
        )
        until = await self._store.read(lambda connection: connection.execute(open_until).scalar())
        if until is None or until <= now:
            return None
        once = update(visitors).where(visitors.c.id == identity)
        once = once.values(legacy_until=min(until, now + LEGACY_GRACE_MS))

        def prepare(connection: Connection) -> Sequence[str]:
            connection.execute(once)
            return ()

        return await self._issue({"visitor_id": identity}, device, prepare)

    async def sign_in(self, old: User, account_id: str, device: str = "") -> NewSession:
        """Issue a session of an account and end the old one; the account takes over a guest's games."""
        ended = sessions.c.id == old.session_id
        if old.account is None:  # another browser with the same guest, by an exchanged cookie, ends too
            ended |= sessions.c.visitor_id == old.id

        def prepare(connection: Connection) -> Sequence[str]:
            if old.account is None:
                guest = (visitors.c.id == old.id, visitors.c.account_id.is_(None))
                values = {"account_id": account_id, "legacy_until": None}
                connection.execute(update(visitors).where(*guest).values(values))
            return _delete_sessions(connection, ended)

        values = {"account_id": account_id, "last_account_id": account_id}
        new = await self._issue(values, device, prepare)
        self._cache.evict(account_id)
        return new

    async def sign_out(self, user: User, device: str = "") -> NewSession:
        """End a session and issue that of a new guest in the same browser."""
        new = await self.issue(device, user.account.id if user.account else None)
        await self._revoke(sessions.c.id == user.session_id)
        return new

    async def _issue(self, values: dict[str, Any], device: str, prepare: Prepare) -> NewSession:
        """Issue a session, in one transaction with `prepare`, which returns the sessions that it ended."""
        token = new_secret()
        row = {
            "id": new_id(),
            "hash": hash_secret("session", token),
            "visitor_id": None,
            "account_id": None,
            "last_account_id": None,
            "device": device[:60],
            "created_at": self._time.now(),
            "last_used_at": None,
            **values,
        }

        def write(connection: Connection) -> tuple[Sequence[str], CachedUser | None]:
            ended = prepare(connection)
            connection.execute(insert(sessions), [row])
            return ended, _find_session(connection, row["hash"])

        ended, issued = await self._store.write(write)
        assert issued is not None
        self._end(*(f"session:{identity}" for identity in ended))
        lifetime = GUEST_LIFETIME_MS if row["account_id"] is None else ACCOUNT_LIFETIME_MS
        return NewSession(token, issued.user, row["created_at"] + lifetime)

    # --- listing and revoking ------------------------------------------------------------------------------

    async def list_sessions(self, user: User) -> list[SessionInfo]:
        """Return the sessions of the user's account, or the one of a guest; the latest first."""
        wanted = (
            sessions.c.visitor_id == user.id
            if user.account is None
            else sessions.c.account_id == user.account.id
        )
        query = select(sessions).where(wanted).order_by(sessions.c.created_at.desc())
        rows = await self._store.read(lambda connection: connection.execute(query).mappings().all())
        now = self._time.now()
        return [_session_info(row, user) for row in rows if _row_ends_at(row) > now]

    async def revoke(self, user: User, session_id: str) -> None:
        """End a session of the same account, or of the same guest."""
        owner = (
            sessions.c.visitor_id == user.id
            if user.account is None
            else sessions.c.account_id == user.account.id
        )
        if not await self._revoke((sessions.c.id == session_id) & owner):
            raise ApiError("not-found")

    async def revoke_account(
        self, account_id: str, *, keep: str | None = None, tokens_too: bool = False
    ) -> int:
        """End the sessions of an account except one, on request also its tokens; return how many."""
        wanted = sessions.c.account_id == account_id
        if keep is not None:
            wanted &= sessions.c.id != keep
        count = await self._revoke(wanted)
        if tokens_too:
            count += await self._revoke_tokens(account_id)
        return count

    async def _revoke_tokens(self, account_id: str) -> int:
        def work(connection: Connection) -> list[str]:
            ids = connection.execute(select(tokens.c.id).where(tokens.c.account_id == account_id)).scalars()
            ended = [f"token:{identity}" for identity in ids]
            connection.execute(delete(tokens).where(tokens.c.account_id == account_id))
            return ended

        ended = await self._store.write(work)
        self._end(*ended)
        return len(ended)

    async def _revoke(self, wanted: ColumnElement[bool]) -> int:
        """End sessions, with their sockets and streams; return how many."""
        ids = await self._store.write(partial(_delete_sessions, wanted=wanted))
        self._end(*(f"session:{identity}" for identity in ids))
        return len(ids)

    def _end(self, *credentials: str) -> None:
        if credentials:
            self._cache.evict(*credentials)
            self._watch.end(*credentials)

    async def recheck(self) -> None:
        """Empty the cache, and end the sockets and streams whose credential is gone from the database."""
        self._cache.clear()
        await self._end_missing(self._watch.held())

    async def _end_missing(self, credentials: Sequence[str]) -> None:
        if credentials:
            existing = await self._store.read(partial(_existing, credentials=credentials))
            self._end(*(credential for credential in credentials if credential not in existing))

    async def purge(self) -> None:
        """Delete what has ended: sessions past their lifetime, and guests whom no session leads to."""
        now = self._time.now()
        ended = _has_ended(now)
        # A reader searches all sessions, so that the writer, for which moves wait, deletes only by id.
        for part in await self._read_ids(select(sessions.c.id).where(ended)):
            await self._revoke(sessions.c.id.in_(part) & ended)
        lost = _is_lost(now)
        for part in await self._read_ids(select(visitors.c.id).where(lost)):
            await self._store.write(partial(delete_guests, ids=part, lost=lost))

    async def _read_ids(self, query: Select[Any]) -> list[list[str]]:
        """Return ids in parts that one statement takes."""
        ids = await self._store.read(lambda c: [str(row.id) for row in c.execute(query)])
        return [ids[start : start + MAX_IDS_PER_QUERY] for start in range(0, len(ids), MAX_IDS_PER_QUERY)]


def _has_ended(now: int) -> ColumnElement[bool]:
    """Return the condition of a session past its lifetime."""
    used, created = sessions.c.last_used_at, sessions.c.created_at
    guest = sessions.c.account_id.is_(None)
    return (
        (used.is_(None) & (created <= now - UNUSED_MS))
        | (guest & ((used <= now - GUEST_IDLE_MS) | (created <= now - GUEST_LIFETIME_MS)))
        | (~guest & ((used <= now - ACCOUNT_IDLE_MS) | (created <= now - ACCOUNT_LIFETIME_MS)))
    )


def _is_lost(now: int) -> ColumnElement[bool]:
    """Return the condition of a guest whom no session leads to."""
    led_to = select(sessions.c.id).where(sessions.c.visitor_id == visitors.c.id).exists()
    legacy = visitors.c.legacy_until
    return visitors.c.account_id.is_(None) & (legacy.is_(None) | (legacy <= now)) & ~led_to


def _find_session(connection: Connection, key: str) -> CachedUser | None:
    row = connection.execute(select(sessions).where(sessions.c.hash == key)).mappings().first()
    if row is None:
        return None
    credential, last_account = f"session:{row['id']}", row["last_account_id"]
    if row["account_id"] is not None:
        user = account_user(connection, row["account_id"], credential, last_account)
    else:
        identity = row["visitor_id"]
        name = connection.execute(select(visitors.c.name).where(visitors.c.id == identity)).scalar()
        user = User(
            identity, frozenset({identity}), name or guest_name(identity), None, credential, last_account
        )
    return CachedUser(user, row["created_at"], row["last_used_at"])


def _delete_sessions(connection: Connection, wanted: ColumnElement[bool]) -> list[str]:
    """Delete sessions; return their ids."""
    ids = list(connection.execute(select(sessions.c.id).where(wanted)).scalars())
    for start in range(0, len(ids), MAX_IDS_PER_QUERY):
        part = ids[start : start + MAX_IDS_PER_QUERY]
        connection.execute(delete(sessions).where(sessions.c.id.in_(part)))
    return ids


def _ends_at(signed_in: bool, created_at: int, last_used_at: int | None) -> int:
    """Return when a session ends if it is not used again."""
    idle, lifetime = (
        (ACCOUNT_IDLE_MS, ACCOUNT_LIFETIME_MS) if signed_in else (GUEST_IDLE_MS, GUEST_LIFETIME_MS)
    )
    return min(created_at + lifetime, (last_used_at or created_at) + idle)


def _row_ends_at(row: RowMapping) -> int:
    return _ends_at(row["account_id"] is not None, row["created_at"], row["last_used_at"])


def _session_info(row: RowMapping, user: User) -> SessionInfo:
    return SessionInfo(
        id=row["id"],
        device=row["device"],
        created_at=row["created_at"],
        last_used_at=row["last_used_at"],
        ends_at=_row_ends_at(row),
        current=row["id"] == user.session_id,
    )


def _existing(connection: Connection, credentials: Sequence[str]) -> set[str]:
    """Return which of these credentials are still in the database."""
    existing: set[str] = set()
    for kind, table in (("session", sessions), ("token", tokens)):
        ids = [text.partition(":")[2] for text in credentials if text.startswith(f"{kind}:")]
        for start in range(0, len(ids), MAX_IDS_PER_QUERY):
            part = ids[start : start + MAX_IDS_PER_QUERY]
            rows = connection.execute(select(table.c.id).where(table.c.id.in_(part))).scalars()
            existing |= {f"{kind}:{identity}" for identity in rows}
    return existing
