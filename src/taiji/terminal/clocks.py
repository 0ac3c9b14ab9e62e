"""Clocks: so many minutes for the whole game and some seconds more for each move."""

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
        """Read minutes and seconds a move, such as `10+5`; `none` is no clock."""
        if text.strip().lower() in ("none", "no", ""):
            return None
        found = _MINUTES.fullmatch(text.strip())
        if not found or not float(found[1]):
            raise ValueError(f"clock {text[:20]!r}: give minutes and seconds a move, such as 10+5, or none")
        return cls(round(60 * float(found[1])), int(found[2] or 0))

    @classmethod
    def from_tag(cls, text: str) -> TimeControl | None:
        """Read a record's TimeControl tag, seconds and seconds a move."""
        found = _SECONDS.fullmatch(text)
        return cls(int(found[1]), int(found[2])) if found else None

    @property
    def tag(self) -> str:
        """The record's TimeControl tag."""
        return f"{self.seconds}+{self.increment}"

    def __str__(self) -> str:
        minutes = f"{self.seconds / 60:.2f}".rstrip("0").rstrip(".")
        return f"{minutes}+{self.increment}"


class Clock:
    """The time left to both seats; at most one of them is running."""

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
        """Let this seat's time run."""
        self.pause()
        self._running, self._since = seat, self._now()

    def pause(self) -> None:
        """Stop both clocks."""
        if self._running is not None:
            self._remaining_s[self._running] = self.remaining_s(self._running)
            self._running = None

    def press(self, seat: Seat) -> float:
        """Stop the clock of a seat that has moved, add the increment and return what is left."""
        self.pause()
        self._remaining_s[seat] += self.control.increment
        return self._remaining_s[seat]

    def remaining_s(self, seat: Seat) -> float:
        """Return the seconds left to a seat; never less than 0."""
        used = self._now() - self._since if self._running is seat else 0.0
        return max(0.0, self._remaining_s[seat] - used)

    @property
    def out_of_time(self) -> Seat | None:
        """The seat whose time is up, if one's is."""
        return next((seat for seat in Seat if self.remaining_s(seat) <= 0), None)


def format_time(seconds: float) -> str:
    """Return a time as a clock shows it, `9:05`; tenths under ten seconds."""
    if seconds < 10:
        return f"0:{int(seconds * 10) / 10:04.1f}"
    whole = int(seconds)
    hours, rest = divmod(whole, 3600)
    if hours:
        return f"{hours}:{rest // 60:02}:{rest % 60:02}"
    return f"{rest // 60}:{rest % 60:02}"
