"""Game clocks as values: each seat's remaining time, whose clock runs, and when it runs out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, Self, assert_never

from taiji.rules import Seat
from taiji.server.contract.clocks import (
    Bronstein,
    Byoyomi,
    ClockChoice,
    ClockInfo,
    Correspondence,
    Fischer,
    SideClockInfo,
    SuddenDeath,
)

ClockType = Literal["sudden", "fischer", "bronstein", "byoyomi", "correspondence"]

FIRST_MOVE_GRACE_MS = 15_000
"""Time that is not charged on a player's first move, so that loading the page costs nothing."""
RESUME_GRACE_MS = 8_000
"""Time that is not charged after a restart of the server, while browsers reconnect."""
DAY_MS = 86_400_000


@dataclass(frozen=True, slots=True)
class ClockRule:
    """A time control in milliseconds."""

    clock_type: ClockType
    main_ms: int
    increment_ms: int = 0
    delay_ms: int = 0
    periods: int = 0
    period_ms: int = 0

    @classmethod
    def from_choice(cls, choice: ClockChoice) -> Self:
        """Return the rule of a time control as it is sent and stored, in seconds or days."""
        match choice:
            case SuddenDeath(main_s=main):
                return cls("sudden", main * 1000)
            case Fischer(main_s=main, increment_s=increment):
                return cls("fischer", main * 1000, increment_ms=increment * 1000)
            case Bronstein(main_s=main, delay_s=delay):
                return cls("bronstein", main * 1000, delay_ms=delay * 1000)
            case Byoyomi(main_s=main, periods=periods, period_s=period):
                return cls("byoyomi", main * 1000, periods=periods, period_ms=period * 1000)
            case Correspondence(days=days):
                return cls("correspondence", days * DAY_MS)
            case _:
                assert_never(choice)


@dataclass(frozen=True, slots=True)
class SideClock:
    """One seat's time: `remaining_ms` of the main time or, later, of the current period."""

    remaining_ms: int
    periods: int
    moved: bool = False

    def in_periods(self, rule: ClockRule) -> bool:
        """Return whether the main time is used up and periods run."""
        return rule.clock_type == "byoyomi" and self.periods < rule.periods + 1


@dataclass(frozen=True, slots=True)
class Clock:
    """Both sides' time. `running` is charged up to `since`; the next `grace_ms` are not charged.

    In byo-yomi `periods` is one more than the rule's during the main time, which counts as a period. A side
    is not charged before its time in `away_until`, while the player is on vacation.
    """

    rule: ClockRule
    sides: tuple[SideClock, SideClock]
    running: Seat | None = None
    since: int = 0
    grace_ms: int = 0
    away_until: tuple[int, int] = (0, 0)

    @classmethod
    def new(cls, rule: ClockRule) -> Self:
        """Return the clock before the start."""
        side = SideClock(rule.main_ms, rule.periods + 1 if rule.clock_type == "byoyomi" else 0)
        if rule.clock_type == "byoyomi" and rule.main_ms == 0:
            side = SideClock(rule.period_ms, rule.periods)
        return cls(rule, (side, side))

    def start(self, seat: Seat, now: int) -> Self:
        """Start a seat's clock."""
        return replace(self, running=seat, since=now, grace_ms=self._grace_for(seat))

    def _grace_for(self, seat: Seat) -> int:
        first = 0 if self.sides[seat].moved else FIRST_MOVE_GRACE_MS
        return max(first, self.rule.delay_ms)

    def remaining_at(self, now: int, lag: int = 0) -> SideClock:
        """Return the running side's time after `lag` is forgiven; at or below 0 its flag has fallen."""
        assert self.running is not None
        side = self.sides[self.running]
        remaining = side.remaining_ms - max(0, now - lag - self._charged_from(self.running))
        periods = side.periods
        while remaining <= 0 and periods > 1:
            periods -= 1
            remaining += self.rule.period_ms
        return replace(side, remaining_ms=remaining, periods=periods)

    def _charged_from(self, seat: Seat) -> int:
        """Return from when on the running side is charged."""
        return max(self.since + self.grace_ms, self.away_until[seat])

    def press(self, now: int, lag: int = 0) -> Self:
        """Stop the running side and add what its move earns; the caller starts the other side."""
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
        """Return the running side's thinking time since its turn began or the server came back."""
        return max(0, now - lag - self.since) if self.running is not None else 0

    def has_flagged(self, now: int, lag: int = 0) -> bool:
        """Return whether the running side's time is over."""
        return self.running is not None and self.remaining_at(now, lag).remaining_ms <= 0

    @property
    def deadline(self) -> int | None:
        """When the running side's time is over, lag aside."""
        if self.running is None:
            return None
        side = self.sides[self.running]
        spare_ms = max(0, side.periods - 1) * self.rule.period_ms
        return self._charged_from(self.running) + side.remaining_ms + spare_ms

    def stop(self, now: int) -> Self:
        """Charge the running side up to now and stop, at the end of the game or for a takeback."""
        if self.running is None:
            return self
        side = self.remaining_at(now)
        return self._with(self.running, replace(side, remaining_ms=max(0, side.remaining_ms)), running=None)

    def resume(self, went_down: int, came_back: int) -> Self:
        """Continue after a restart of the server without charging the downtime.

        At least 1 ms remains: a flag that fell during the last heartbeat interval is not proven.
        """
        if self.running is None:
            return self
        went_down = max(went_down, self.since)
        grace = max(0, self.grace_ms - (went_down - self.since))
        seat, side = self.running, self.remaining_at(went_down)
        stopped = self._with(seat, replace(side, remaining_ms=max(1, side.remaining_ms)), running=seat)
        return replace(stopped, since=came_back, grace_ms=grace + RESUME_GRACE_MS)

    def set_away(self, seat: Seat, until: int | None, now: int) -> Self:
        """Let a player be away from now until a time, or be back; what was used before stays charged."""
        clock = self
        if self.running is seat:
            side = self.remaining_at(now)
            grace = max(0, self.grace_ms - (now - self.since))
            clock = replace(self._with(seat, side, running=seat), since=now, grace_ms=grace)
        first, second = self.away_until
        away = (until or 0, second) if seat is Seat.FIRST else (first, until or 0)
        return replace(clock, away_until=away)

    def view(self, now: int) -> ClockInfo:
        """Return the clock as it is sent, as of `now`."""
        first, second = (self._side_view(seat, now) for seat in Seat)
        grace = max(0, self._charged_from(self.running) - now) if self.running is not None else 0
        running: Literal["first", "second"] | None = None
        if self.running is not None:
            running = "first" if self.running is Seat.FIRST else "second"
        return ClockInfo(running=running, first=first, second=second, grace_ms=grace)

    def _side_view(self, seat: Seat, now: int) -> SideClockInfo:
        side = self.remaining_at(now) if seat is self.running else self.sides[seat]
        periods = min(side.periods, self.rule.periods) if self.rule.clock_type == "byoyomi" else None
        away = self.away_until[seat] if self.away_until[seat] > now else None
        return SideClockInfo(remaining_ms=max(0, side.remaining_ms), periods=periods, away_until=away)

    def to_json(self) -> list[Any]:
        """Return the clock as it is stored: both sides, the running seat, since, grace and vacations."""
        sides = [[side.remaining_ms, side.periods, side.moved] for side in self.sides]
        running = None if self.running is None else int(self.running)
        away = [list(self.away_until)] if any(self.away_until) else []
        return [*sides, running, self.since, self.grace_ms, *away]

    @classmethod
    def from_json(cls, rule: ClockRule, data: list[Any]) -> Self:
        """Read a stored clock."""
        first, second, running, since, grace, *away = data
        sides = (SideClock(*first), SideClock(*second))
        until = (away[0][0], away[0][1]) if away else (0, 0)
        return cls(rule, sides, None if running is None else Seat(running), since, grace, until)
