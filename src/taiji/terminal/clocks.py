"""Fischer clocks: time for the whole game and an increment per move."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass

from taiji.rules import Seat

_MINUTES = re.compile(r"(\d{1,4}(?:\.\d{1,2})?)(?:\+(\d{1,4}))?")
_SECONDS = re.compile(r"(\d{1,6})\+(\d{1,4})")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A time control: seconds for the game, and seconds added after each move."""

    seconds: int
    increment: int = 0

    @classmethod
    def parse(cls, text: str) -> TimeControl | None:
        """Parse minutes and increment in seconds, such as `10+5`; return None for `none`."""
        if text.strip().lower() in ("none", "no", ""):
            return None
        match = _MINUTES.fullmatch(text.strip())
        if not match or not float(match[1]):
            raise ValueError(
                f"clock {text[:20]!r}: invalid "
                "(expected minutes and increment in seconds, such as 10+5, or none)"
            )
        return cls(round(60 * float(match[1])), int(match[2] or 0))

    @classmethod
    def from_tag(cls, text: str) -> TimeControl | None:
        """Parse the TimeControl tag of a record: seconds and increment; return None if it is invalid."""
        match = _SECONDS.fullmatch(text)
        return cls(int(match[1]), int(match[2])) if match else None

    @property
    def tag(self) -> str:
        """Return the TimeControl tag of a record."""
        return f"{self.seconds}+{self.increment}"

    def __str__(self) -> str:
        minutes = f"{self.seconds / 60:.2f}".rstrip("0").rstrip(".")
        return f"{minutes}+{self.increment}"


class Clock:
    """The remaining time of both seats; at most one of the clocks is running."""

    def __init__(
        self,
        control: TimeControl,
        remaining_s: tuple[float, float] | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.control = control
        self._remaining_s = list(remaining_s or (control.seconds, control.seconds))
        self._now = now
        self._running: Seat | None = None
        self._since = 0.0

    def run(self, seat: Seat) -> None:
        """Start the clock of a seat."""
        self.pause()
        self._running, self._since = seat, self._now()

    def pause(self) -> None:
        """Stop both clocks."""
        if self._running is not None:
            self._remaining_s[self._running] = self.remaining_s(self._running)
            self._running = None

    def press(self, seat: Seat) -> float:
        """Stop the clock of a seat after its move, add the increment and return the remaining seconds."""
        self.pause()
        self._remaining_s[seat] += self.control.increment
        return self._remaining_s[seat]

    def remaining_s(self, seat: Seat) -> float:
        """Return the remaining seconds of a seat, at least 0."""
        used = self._now() - self._since if self._running is seat else 0.0
        return max(0.0, self._remaining_s[seat] - used)

    @property
    def out_of_time(self) -> Seat | None:
        """Return the seat that ran out of time, or None."""
        return next((seat for seat in Seat if self.remaining_s(seat) <= 0), None)


def format_time(seconds: float) -> str:
    """Format seconds as `9:05`, with tenths below ten seconds."""
    if seconds < 10:
        return f"0:{int(seconds * 10) / 10:04.1f}"
    whole = int(seconds)
    hours, rest = divmod(whole, 3600)
    if hours:
        return f"{hours}:{rest // 60:02}:{rest % 60:02}"
    return f"{rest // 60}:{rest % 60:02}"
