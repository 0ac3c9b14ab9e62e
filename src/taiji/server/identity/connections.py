"""The open sockets and streams of each visitor and address, which are limited."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from taiji.server.identity import limits
from taiji.server.identity.users import ANONYMOUS, User

if TYPE_CHECKING:
    from taiji.server.identity.auth_limits import ClientAddress
    from taiji.server.identity.limits import RateLimiter


class Connections:
    """Counts connections that stay open."""

    def __init__(self, limiter: RateLimiter) -> None:
        self._limiter = limiter
        self._open: dict[str, int] = {}
        self.count = 0
        self.on_account: Callable[[str, int], None] | None = None
        """Called with an account and 1 or -1 when a connection of its own opens or closes."""

    def is_full(self, user: User, client: ClientAddress) -> bool:
        """Return whether a visitor, or all visitors at an address, have as many connections as allowed."""
        allowed = {user.id: limits.SOCKETS_PER_VISITOR, _key(client): limits.SOCKETS_PER_ADDRESS}
        allowed.pop(ANONYMOUS.id, None)
        return any(self._open.get(key, 0) >= most * self._limiter.scale for key, most in allowed.items())

    @contextmanager
    def hold(self, user: User, client: ClientAddress) -> Iterator[None]:
        """Count a connection within a block."""
        self._add(user, client, 1)
        try:
            yield
        finally:
            self._add(user, client, -1)

    def _add(self, user: User, client: ClientAddress, change: int) -> None:
        self.count += change
        if user.account is not None and self.on_account is not None:
            self.on_account(user.account.id, change)
        for key in (user.id, _key(client)):
            left = self._open.get(key, 0) + change
            if left > 0:
                self._open[key] = left
            else:
                self._open.pop(key, None)


def _key(client: ClientAddress) -> str:
    return f"from {client.address}"
