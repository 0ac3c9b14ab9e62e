"""The users of recent requests, so that a request costs no read of the database."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from taiji.server.identity.users import User

MAX_CACHED_USERS = 20_000


@dataclass(slots=True)
class CachedUser:
    """A user by a credential; the times are those of a session."""

    user: User
    created_at: int = 0
    last_used_at: int | None = None


class UserCache:
    """Users by the hash of their credential; the oldest are evicted first."""

    def __init__(self) -> None:
        self.generation = 0
        """Counts evictions: what was read before one is not cached after it."""
        self.on_evict: Callable[[tuple[str, ...]], None] | None = None
        """Called with what is evicted, so that other servers do the same."""
        self._users: OrderedDict[str, CachedUser] = OrderedDict()

    def get(self, key: str) -> CachedUser | None:
        """Return the user of a credential, or None if it must be read."""
        return self._users.get(key)

    def put(self, key: str, cached: CachedUser, generation: int) -> None:
        """Cache a user that was read at a generation."""
        if generation == self.generation:
            self._users[key] = cached
            if len(self._users) > MAX_CACHED_USERS:
                self._users.popitem(last=False)

    def evict(self, *ids: str) -> None:
        """Drop the users with one of these ids or credentials, at every server."""
        self.evict_here(*ids)
        if self.on_evict is not None and ids:
            self.on_evict(ids)

    def evict_here(self, *ids: str) -> None:
        """Drop the users with one of these ids or credentials at this server."""
        self.generation += 1
        wanted = set(ids)
        for key, cached in list(self._users.items()):
            if cached.user.credential in wanted or wanted & cached.user.ids:
                del self._users[key]

    def clear(self) -> None:
        """Drop all users."""
        self.generation += 1
        self._users.clear()
