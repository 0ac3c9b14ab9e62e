"""Game clocks as values: what each seat has left, whose time runs, and when it runs out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, Self

from taiji.rules import Seat

Kind = Literal["sudden", "fischer", "bronstein", "byoyomi", "correspondence"]

FIRST_MOVE_FREE = 15_000
"""A player's first move is not charged for so long, so that nobody loses time by loading the page."""
RESUME_FREE = 8_000
"""After the server was away nobody is charged for so long: as long as a browser takes to come back."""
DAY = 86_400_000


@dataclass(frozen=True, slots=True)
class ClockRule:
    """How time is given, in milliseconds."""

    kind: Kind
    main: int
    increment: int = 0
    delay: int = 0
    periods: int = 0
    period: int = 0

    @classmethod
    def from_wire(cls, data: dict[str, Any]) -> Self:
        """Read the rule as it travels and is stored: in seconds, or days."""
        kind: Kind = data["kind"]
        if kind == "correspondence":
            return cls(kind, data["days"] * DAY)
        return cls(
            kind,
            data["main_s"] * 1000,
            increment=data.get("increment_s", 0) * 1000,
            delay=data.get("delay_s", 0) * 1000,
            periods=data.get("periods", 0),
            period=data.get("period_s", 0) * 1000,
        )


@dataclass(frozen=True, slots=True)
class Side:
    """What one seat has left: main time, then periods, of which `left` is the rest of the current one."""

    left: int
    periods: int
    moved: bool = False

    def in_periods(self, rule: ClockRule) -> bool:
        """Whether the main time is used up and periods run."""
        return rule.kind == "byoyomi" and self.periods < rule.periods + 1


@dataclass(frozen=True, slots=True)
class Clock:
    """Both sides' time. `running` has been charged up to `since`, and `free` after that costs nothing.

    In byo-yomi `periods` is one more than the rule's while main time lasts: main time is the first of them.
    """

    rule: ClockRule
    sides: tuple[Side, Side]
    running: Seat | None = None
    since: int = 0
    free: int = 0

    @classmethod
    def new(cls, rule: ClockRule) -> Self:
        """Return the clock before the start."""
        side = Side(rule.main, rule.periods + 1 if rule.kind == "byoyomi" else 0)
        if rule.kind == "byoyomi" and rule.main == 0:
            side = Side(rule.period, rule.periods)
        return cls(rule, (side, side))

    def start(self, seat: Seat, now: int) -> Self:
        """Let a seat's time run from now."""
        return replace(self, running=seat, since=now, free=self._free_for(seat))

    def _free_for(self, seat: Seat) -> int:
        first = 0 if self.sides[seat].moved else FIRST_MOVE_FREE
        return max(first, self.rule.delay)

    def charged(self, now: int, lag: int = 0) -> Side:
        """Return what the running side has left, with its lag forgiven; at or below 0 its flag has fallen."""
        assert self.running is not None
        side = self.sides[self.running]
        left = side.left - max(0, now - lag - self.since - self.free)
        periods = side.periods
        while left <= 0 and periods > 1:
            periods -= 1
            left += self.rule.period
        return replace(side, left=left, periods=periods)

    def press(self, now: int, lag: int = 0) -> Self:
        """Stop the running side and give it what its move earns; the caller starts the next side."""
        assert self.running is not None
        side = replace(self.charged(now, lag), moved=True)
        rule = self.rule
        if rule.kind == "correspondence":
            side = replace(side, left=rule.main)
        elif rule.kind == "fischer":
            side = replace(side, left=side.left + rule.increment)
        elif side.in_periods(rule):
            side = replace(side, left=rule.period)
        return self._with(self.running, side, running=None)

    def _with(self, seat: Seat, side: Side, running: Seat | None) -> Self:
        sides = (side, self.sides[1]) if seat is Seat.FIRST else (self.sides[0], side)
        return replace(self, sides=sides, running=running, free=0)

    def spent(self, now: int, lag: int = 0) -> int:
        """How long the running side has thought since its turn began or the server came back."""
        return max(0, now - lag - self.since) if self.running is not None else 0

    def fallen(self, now: int, lag: int = 0) -> bool:
        """Whether the running side's time is over."""
        return self.running is not None and self.charged(now, lag).left <= 0

    @property
    def deadline(self) -> int | None:
        """When the running side's time is over, lag aside."""
        if self.running is None:
            return None
        side = self.sides[self.running]
        return self.since + self.free + side.left + max(0, side.periods - 1) * self.rule.period

    def stop(self, now: int) -> Self:
        """Charge the running side up to now and stop: the game is over, or was taken back."""
        if self.running is None:
            return self
        side = self.charged(now)
        return self._with(self.running, replace(side, left=max(0, side.left)), running=None)

    def resume(self, gone: int, back: int) -> Self:
        """Go on after the server was away from `gone` to `back`: that time is nobody's."""
        if self.running is None:
            return self
        gone = max(gone, self.since)
        free = max(0, self.free - (gone - self.since))
        seat, side = self.running, self.charged(gone)
        stopped = self._with(seat, replace(side, left=max(1, side.left)), running=seat)
        return replace(stopped, since=back, free=free + RESUME_FREE)

    def view(self, now: int) -> dict[str, Any]:
        """Return the clock as it is sent: what is left as of now."""
        shown = {}
        for seat in Seat:
            side = self.charged(now) if seat is self.running else self.sides[seat]
            periods = None
            if self.rule.kind == "byoyomi":
                periods = min(side.periods, self.rule.periods)
            shown[seat.name.lower()] = {"left_ms": max(0, side.left), "periods": periods}
        free = max(0, self.since + self.free - now) if self.running is not None else 0
        return {
            "running": None if self.running is None else self.running.name.lower(),
            **shown,
            "free_ms": free,
        }

    def to_json(self) -> list[Any]:
        """Return the clock as it is stored: both sides, who runs, since when, and how much of it is free."""
        sides = [[side.left, side.periods, side.moved] for side in self.sides]
        return [*sides, None if self.running is None else int(self.running), self.since, self.free]

    @classmethod
    def from_json(cls, rule: ClockRule, data: list[Any]) -> Self:
        """Read a stored clock."""
        one, two, running, since, free = data
        return cls(rule, (Side(*one), Side(*two)), None if running is None else Seat(running), since, free)
