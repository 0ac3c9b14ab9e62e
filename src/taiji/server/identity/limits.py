"""Rate limits in bounded memory that many fresh keys do not evade, and a count of refused requests."""

from __future__ import annotations

import hashlib
import secrets
from array import array
from collections import Counter, deque
from typing import TYPE_CHECKING

from taiji.server.contract.errors import ApiError

if TYPE_CHECKING:
    from taiji.server.time_source import TimeSource

FRAME_LIMIT = (100, 20_000)
"""Maximum messages of a socket, and the window in milliseconds."""
MAX_BAD_FRAMES = 3
"""Invalid frames after which a socket is closed."""
SOCKETS_PER_VISITOR = 40
SOCKETS_PER_ADDRESS = 500
"""The streams of a visitor and of an address count as sockets."""

CPU_LIMIT = "CPU milliseconds from one address"

MINUTE_MS, HOUR_MS = 60_000, 3_600_000
LIMITS: dict[str, tuple[int, int]] = {
    "sessions": (1200, 10 * MINUTE_MS),
    "tables": (60, 10 * MINUTE_MS),
    "challenges": (30, 10 * MINUTE_MS),
    "challenges to one player": (6, 10 * MINUTE_MS),
    "pairings": (60, 10 * MINUTE_MS),
    "follows": (60, 10 * MINUTE_MS),
    "records": (60, 10 * MINUTE_MS),
    "exports": (10, 10 * MINUTE_MS),
    "phrases": (6, MINUTE_MS),
    "blocks": (60, HOUR_MS),
    "reports": (10, 24 * HOUR_MS),
    "reports from one address": (40, 24 * HOUR_MS),
    "subscriptions": (20, HOUR_MS),
    "pushes": (60, HOUR_MS),
    "searches": (120, MINUTE_MS),
    "pictures": (120, MINUTE_MS),
    "changes": (600, MINUTE_MS),
    "changes from one address": (6000, MINUTE_MS),
    "searches from one address": (600, MINUTE_MS),
    "requests from one address": (20_000, MINUTE_MS),
    "body bytes from one address": (100_000_000, 10 * MINUTE_MS),
    CPU_LIMIT: (60_000, 10 * MINUTE_MS),
    "accounts from one address": (10, HOUR_MS),
    "accounts from one network": (60, HOUR_MS),
    "sign-ins to one account": (10, MINUTE_MS),
    "sign-ins from one address": (30, MINUTE_MS),
    "sign-ins from one network": (240, MINUTE_MS),
    "failures of one account": (50, HOUR_MS),
    "sign-ins under attack": (3, 10 * MINUTE_MS),
    "recoveries of one account": (5, HOUR_MS),
    "recoveries from one address": (10, HOUR_MS),
    "recoveries from one network": (60, HOUR_MS),
    "tokens of one account": (20, HOUR_MS),
    "tokens from one address": (60, HOUR_MS),
}
"""Maximum requests at once, and the time in milliseconds after which as many are allowed again."""


class SlidingWindow:
    """At most `maximum` requests per `span` milliseconds, of one socket."""

    __slots__ = ("_at", "_maximum", "_span")

    def __init__(self, maximum: int, span: int) -> None:
        self._maximum, self._span = maximum, span
        self._at: deque[int] = deque()

    def acquire(self, now: int) -> bool:
        """Count a request; return whether it is within the limit."""
        while self._at and self._at[0] <= now - self._span:
            self._at.popleft()
        if len(self._at) >= self._maximum:
            return False
        self._at.append(now)
        return True


class Sketch:
    """One limit for any number of keys, in constant memory.

    Each key has one cell per row, chosen by a secret hash, which holds the time until which its requests are
    paid for. The earliest of the four counts: keys that share a cell can only make it later, and a key is
    limited too early only if other keys share all of its cells. Nothing is ever evicted, so that no number of
    fresh keys makes the limiter forget one.
    """

    ROWS, WIDTH = 4, 1 << 15

    def __init__(self, maximum: int, span_ms: int) -> None:
        self._cost = max(1, span_ms * 1000 // maximum)
        """Microseconds per request."""
        self._span = self._cost * maximum
        self._salt = secrets.token_bytes(16)
        self._paid = array("q", bytes(8 * self.ROWS * self.WIDTH))

    def acquire(self, key: str, now: int, units: int = 1) -> int:
        """Count a request at a time in ms; return 0, or after how many ms to try again.

        A request of several units is allowed if one unit is; the next must wait longer.
        """
        cells, wait = self._look_up(key, now)
        if wait == 0:
            paid = max(now * 1000, min(self._paid[cell] for cell in cells)) + self._cost * units
            for cell in cells:
                self._paid[cell] = max(self._paid[cell], paid)
        return wait

    def wait(self, key: str, now: int) -> int:
        """Return 0 if a request is within the limit, or after how many milliseconds one is."""
        return self._look_up(key, now)[1]

    def _look_up(self, key: str, now: int) -> tuple[list[int], int]:
        hashed = hashlib.blake2b(key.encode(errors="replace"), key=self._salt, digest_size=16).digest()
        cells = [
            row * self.WIDTH + int.from_bytes(hashed[4 * row : 4 * row + 4], "little") % self.WIDTH
            for row in range(self.ROWS)
        ]
        paid = min(self._paid[cell] for cell in cells)
        over = paid + self._cost - now * 1000 - self._span
        return cells, max(0, -(-over // 1000))


class RateLimiter:
    """The limits of all users and addresses."""

    def __init__(self, time: TimeSource, scale: float = 1.0) -> None:
        self.refused: Counter[str] = Counter()
        self.scale = scale
        self._time = time
        self._sketches: dict[str, Sketch] = {}

    def _sketch(self, limit: str) -> Sketch:
        if limit not in self._sketches:
            maximum, span = LIMITS[limit]
            self._sketches[limit] = Sketch(max(1, int(maximum * self.scale)), span)
        return self._sketches[limit]

    def acquire(self, limit: str, key: str, units: int = 1) -> None:
        """Count a request; raise `ApiError` beyond the limit."""
        wait = self._sketch(limit).acquire(key, self._time.now(), units)
        if wait:
            raise ApiError("too-many-requests", retry_after_s=-(-wait // 1000))

    def require_left(self, limit: str, key: str) -> None:
        """Raise `ApiError` if nothing of a limit is left; what a task has cost is added after it."""
        wait = self._sketch(limit).wait(key, self._time.now())
        if wait:
            raise ApiError("too-many-requests", retry_after_s=-(-wait // 1000))

    def is_exhausted(self, limit: str, key: str) -> bool:
        """Return whether one more request would be beyond the limit, without counting it."""
        return self._sketch(limit).wait(key, self._time.now()) > 0

    def add(self, limit: str, key: str, units: int = 1) -> None:
        """Count a request that is not refused even beyond the limit."""
        if units:
            self._sketch(limit).acquire(key, self._time.now(), units)

    def count(self, code: str) -> None:
        """Count an error by its code."""
        self.refused[code] += 1
