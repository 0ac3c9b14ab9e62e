"""Game clocks as values: what each seat has left, whose time runs, and when it runs out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, Self

from taiji.rules import Seat

ClockType = Literal["sudden", "fischer", "bronstein", "byoyomi", "correspondence"]

FIRST_MOVE_GRACE_MS = 15_000
"""A player's first move is not charged for so long, so that nobody loses time by loading the page."""
RESUME_GRACE_MS = 8_000
"""After the server was away nobody is charged for so long: as long as a browser takes to come back."""
DAY_MS = 86_400_000


@dataclass(frozen=True, slots=True)
class ClockRule:
    """How time is given, in milliseconds."""

    clock_type: ClockType
    main_ms: int
    increment_ms: int = 0
    delay_ms: int = 0
    periods: int = 0
    period_ms: int = 0

    @classmethod
    def from_wire(cls, data: dict[str, Any]) -> Self:
        """Read the rule as it travels and is stored: in seconds, or days."""
        kind: ClockType = data["kind"]
        if kind == "correspondence":
            return cls(kind, data["days"] * DAY_MS)
        return cls(
            kind,
            data["main_s"] * 1000,
            increment_ms=data.get("increment_s", 0) * 1000,
            delay_ms=data.get("delay_s", 0) * 1000,
            periods=data.get("periods", 0),
            period_ms=data.get("period_s", 0) * 1000,
        )


@dataclass(frozen=True, slots=True)
class SideClock:
    """What one seat has left: main time, then periods, of which `left` is the rest of the current one."""

    remaining_ms: int
    periods: int
    moved: bool = False

    def in_periods(self, rule: ClockRule) -> bool:
        """Whether the main time is used up and periods run."""
        return rule.clock_type == "byoyomi" and self.periods < rule.periods + 1


@dataclass(frozen=True, slots=True)
class Clock:
    """Both sides' time. `running` has been charged up to `since`, and `free` after that costs nothing.

    In byo-yomi `periods` is one more than the rule's while main time lasts: main time is the first of them.
    """

    rule: ClockRule
    sides: tuple[SideClock, SideClock]
    running: Seat | None = None
    since: int = 0
    grace_ms: int = 0

    @classmethod
    def new(cls, rule: ClockRule) -> Self:
        """Return the clock before the start."""
        side = SideClock(rule.main_ms, rule.periods + 1 if rule.clock_type == "byoyomi" else 0)
        if rule.clock_type == "byoyomi" and rule.main_ms == 0:
            side = SideClock(rule.period_ms, rule.periods)
        return cls(rule, (side, side))

    def start(self, seat: Seat, now: int) -> Self:
        """Let a seat's time run from now."""
        return replace(self, running=seat, since=now, grace_ms=self._grace_for(seat))

    def _grace_for(self, seat: Seat) -> int:
        first = 0 if self.sides[seat].moved else FIRST_MOVE_GRACE_MS
        return max(first, self.rule.delay_ms)

    def remaining_at(self, now: int, lag: int = 0) -> SideClock:
        """Return what the running side has left, with its lag forgiven; at or below 0 its flag has fallen."""
        assert self.running is not None
        side = self.sides[self.running]
        left = side.remaining_ms - max(0, now - lag - self.since - self.grace_ms)
        periods = side.periods
        while left <= 0 and periods > 1:
            periods -= 1
            left += self.rule.period_ms
        return replace(side, remaining_ms=left, periods=periods)

    def press(self, now: int, lag: int = 0) -> Self:
        """Stop the running side and give it what its move earns; the caller starts the next side."""
        assert self.running is not None
        side = replace(self.remaining_at(now, lag), moved=True)
        rule = self.rule
        if rule.clock_type == "correspondence":
            side = replace(side, remaining_ms=rule.main_ms)
        elif rule.clock_type == "fischer":
            side = replace(side, remaining_ms=side.remaining_ms + rule.increment_ms)
        elif side.in_periods(rule):
            side = replace(side, remaining_ms=rule.period_ms)
        return self._with(self.running, side, running=None)

    def _with(self, seat: Seat, side: SideClock, running: Seat | None) -> Self:
        sides = (side, self.sides[1]) if seat is Seat.FIRST else (self.sides[0], side)
        return replace(self, sides=sides, running=running, grace_ms=0)

    def elapsed(self, now: int, lag: int = 0) -> int:
        """How long the running side has thought since its turn began or the server came back."""
        return max(0, now - lag - self.since) if self.running is not None else 0

    def has_flagged(self, now: int, lag: int = 0) -> bool:
        """Whether the running side's time is over."""
        return self.running is not None and self.remaining_at(now, lag).remaining_ms <= 0

    @property
    def deadline(self) -> int | None:
        """When the running side's time is over, lag aside."""
        if self.running is None:
            return None
        side = self.sides[self.running]
        return self.since + self.grace_ms + side.remaining_ms + max(0, side.periods - 1) * self.rule.period_ms

    def stop(self, now: int) -> Self:
        """Charge the running side up to now and stop: the game is over, or was taken back."""
        if self.running is None:
            return self
        side = self.remaining_at(now)
        return self._with(self.running, replace(side, remaining_ms=max(0, side.remaining_ms)), running=None)

    def resume(self, went_down: int, came_back: int) -> Self:
        """Go on after the server was away from `gone` to `back`: that time is nobody's."""
        if self.running is None:
            return self
        went_down = max(went_down, self.since)
        free = max(0, self.grace_ms - (went_down - self.since))
        seat, side = self.running, self.remaining_at(went_down)
        stopped = self._with(seat, replace(side, remaining_ms=max(1, side.remaining_ms)), running=seat)
        return replace(stopped, since=came_back, grace_ms=free + RESUME_GRACE_MS)

    def view(self, now: int) -> dict[str, Any]:
        """Return the clock as it is sent: what is left as of now."""
        shown = {}
        for seat in Seat:
            side = self.remaining_at(now) if seat is self.running else self.sides[seat]
            periods = None
            if self.rule.clock_type == "byoyomi":
                periods = min(side.periods, self.rule.periods)
            shown[seat.name.lower()] = {"left_ms": max(0, side.remaining_ms), "periods": periods}
        free = max(0, self.since + self.grace_ms - now) if self.running is not None else 0
        return {
            "running": None if self.running is None else self.running.name.lower(),
            **shown,
            "free_ms": free,
        }

    def to_json(self) -> list[Any]:
        """Return the clock as it is stored: both sides, who runs, since when, and how much of it is free."""
        sides = [[side.remaining_ms, side.periods, side.moved] for side in self.sides]
        return [*sides, None if self.running is None else int(self.running), self.since, self.grace_ms]

    @classmethod
    def from_json(cls, rule: ClockRule, data: list[Any]) -> Self:
        """Read a stored clock."""
        one, two, running, since, free = data
        return cls(
            rule, (SideClock(*one), SideClock(*two)), None if running is None else Seat(running), since, free
        )
