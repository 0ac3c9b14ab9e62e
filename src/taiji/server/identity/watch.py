"""Open sockets and streams by credential, so that they close at once when it ends."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

MAX_REMEMBERED = 10_000
SESSION_ENDED = 4401
"""The close code of a socket whose session or token was revoked."""


class CredentialWatch:
    """What to close when a session or token ends."""

    def __init__(self) -> None:
        self._held: dict[str, list[Callable[[], None]]] = {}
        self._ended: OrderedDict[str, None] = OrderedDict()
        self.on_end: Callable[[tuple[str, ...]], None] | None = None
        """Called with what has ended, so that other servers close its connections, too."""

    @contextmanager
    def hold(self, credential: str, close: Callable[[], None]) -> Iterator[None]:
        """Call `close` if the credential ends within the block, or has ended since it was checked."""
        if not credential:
            yield
            return
        if credential in self._ended:
            close()
        held = self._held.setdefault(credential, [])
        held.append(close)
        try:
            yield
        finally:
            held.remove(close)
            if not held:
                self._held.pop(credential, None)

    def held(self) -> list[str]:
        """Return the credentials with an open socket or stream."""
        return list(self._held)

    def end(self, *credentials: str) -> None:
        """Close all sockets and streams of credentials that have ended, at every server."""
        self.end_here(*credentials)
        if self.on_end is not None and credentials:
            self.on_end(credentials)

    def end_here(self, *credentials: str) -> None:
        """Close all sockets and streams of credentials at this server."""
        for credential in credentials:
            self._ended[credential] = None
            for close in tuple(self._held.get(credential, ())):
                close()
        while len(self._ended) > MAX_REMEMBERED:
            self._ended.popitem(last=False)
