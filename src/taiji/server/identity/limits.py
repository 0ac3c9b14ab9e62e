"""Bounds on what one visitor may ask: sliding windows, and a count of all that was refused."""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from typing import TYPE_CHECKING

from taiji.server.contract.errors import ApiError

if TYPE_CHECKING:
    from taiji.server.time_source import TimeSource

FRAME_LIMIT = (100, 20_000)
"""A socket may send so many messages in so many milliseconds."""
MAX_BAD_FRAMES = 3
"""After so many frames that are no message a socket is closed."""
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
"""What is bounded for a visitor, and for an address, as a cookie is easily thrown away."""


class SlidingWindow:
    """At most so many in so many milliseconds."""

    __slots__ = ("_at", "_most", "_span")

    def __init__(self, most: int, span: int) -> None:
        self._most, self._span = most, span
        self._at: deque[int] = deque()

    def acquire(self, now: int) -> bool:
        """Count one; tell whether it is within the bound."""
        while self._at and self._at[0] <= now - self._span:
            self._at.popleft()
        if len(self._at) >= self._most:
            return False
        self._at.append(now)
        return True

    def retry_after(self, now: int) -> int:
        """Return in how many seconds there is room again."""
        return max(1, -(-(self._at[0] + self._span - now) // 1000)) if self._at else 1


class RateLimiter:
    """The windows of all visitors, the oldest forgotten first."""

    MAX_KEYS = 20_000

    def __init__(self, times: TimeSource, scale: float = 1.0) -> None:
        self.refused: Counter[str] = Counter()
        self._times = times
        self._scale = scale
        self._windows: OrderedDict[tuple[str, str], SlidingWindow] = OrderedDict()

    def acquire(self, what: str, who: str) -> None:
        """Count one request of a visitor; refuse it past the bound."""
        window = self._windows.get((what, who))
        if window is None:
            most, span = WINDOWS[what]
            window = self._windows[what, who] = SlidingWindow(max(1, int(most * self._scale)), span)
            if len(self._windows) > self.MAX_KEYS:
                self._windows.popitem(last=False)
        self._windows.move_to_end((what, who))
        now = self._times.now()
        if not window.acquire(now):
            raise ApiError("too-many-requests", retry_after_s=window.retry_after(now))

    def count(self, code: str) -> None:
        """Count a refusal."""
        self.refused[code] += 1
