"""Rate limits per visitor and address: sliding windows, and a count of refused requests."""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from typing import TYPE_CHECKING

from taiji.server.contract.errors import ApiError

if TYPE_CHECKING:
    from taiji.server.time_source import TimeSource

FRAME_LIMIT = (100, 20_000)
"""Maximum messages of a socket, and the window in milliseconds."""
MAX_BAD_FRAMES = 3
"""Invalid frames after which a socket is closed."""
SOCKETS_PER_VISITOR = 40

WINDOWS: dict[str, tuple[int, int]] = {
    "tables": (60, 600_000),
    "accounts": (10, 3_600_000),
    "sign-ins": (10, 60_000),
    "records": (60, 600_000),
    "searches": (120, 60_000),
    "pictures": (120, 60_000),
    "changes": (600, 60_000),
    "changes from one address": (6000, 60_000),
    "searches from one address": (600, 60_000),
}
"""Maximum and window in milliseconds, per visitor or address; a cookie is easily discarded."""


class SlidingWindow:
    """At most `maximum` requests per `span` milliseconds."""

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

    def retry_after(self, now: int) -> int:
        """Return the seconds until a request is within the limit again."""
        return max(1, -(-(self._at[0] + self._span - now) // 1000)) if self._at else 1


class RateLimiter:
    """The windows of all visitors; the oldest are evicted first."""

    MAX_KEYS = 20_000

    def __init__(self, time: TimeSource, scale: float = 1.0) -> None:
        self.refused: Counter[str] = Counter()
        self._time = time
        self._scale = scale
        self._windows: OrderedDict[tuple[str, str], SlidingWindow] = OrderedDict()

    def acquire(self, what: str, who: str) -> None:
        """Count a request; raise `ApiError` beyond the limit."""
        window = self._windows.get((what, who))
        if window is None:
            maximum, span = WINDOWS[what]
            window = self._windows[what, who] = SlidingWindow(max(1, int(maximum * self._scale)), span)
            if len(self._windows) > self.MAX_KEYS:
                self._windows.popitem(last=False)
        self._windows.move_to_end((what, who))
        now = self._time.now()
        if not window.acquire(now):
            raise ApiError("too-many-requests", retry_after_s=window.retry_after(now))

    def count(self, code: str) -> None:
        """Count an error by its code."""
        self.refused[code] += 1
