"""Time controls and clocks."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter, model_validator

from taiji.server.contract.messages import Message, SeatName, StrictInt, View


class SuddenDeath(Message):
    """A fixed time for the whole game."""

    clock_type: Literal["sudden"]
    main_s: StrictInt = Field(ge=1, le=86400)


class Fischer(Message):
    """Main time plus an increment after each move."""

    clock_type: Literal["fischer"]
    main_s: StrictInt = Field(ge=0, le=86400)
    increment_s: StrictInt = Field(ge=0, le=600)

    @model_validator(mode="after")
    def _some_time(self) -> Fischer:
        if self.main_s + self.increment_s == 0:
            raise ValueError("main_s and increment_s must not both be 0")
        return self


class Bronstein(Message):
    """Main time; the first `delay_s` seconds of each move are not charged."""

    clock_type: Literal["bronstein"]
    main_s: StrictInt = Field(ge=1, le=86400)
    delay_s: StrictInt = Field(ge=0, le=600)


class Byoyomi(Message):
    """Main time, then periods; a move uses up only the periods that pass completely."""

    clock_type: Literal["byoyomi"]
    main_s: StrictInt = Field(ge=0, le=86400)
    periods: StrictInt = Field(ge=1, le=25)
    period_s: StrictInt = Field(ge=1, le=3600)


class Correspondence(Message):
    """Days per move."""

    clock_type: Literal["correspondence"]
    days: StrictInt = Field(ge=1, le=30)


ClockChoice = Annotated[
    SuddenDeath | Fischer | Bronstein | Byoyomi | Correspondence, Field(discriminator="clock_type")
]
CLOCK_CHOICE: TypeAdapter[ClockChoice] = TypeAdapter(ClockChoice)


class SideClockInfo(View):
    """One seat's clock; `periods` is None unless the time control has byo-yomi periods.

    While the player is on vacation, until `away_until`, it does not run.
    """

    remaining_ms: int
    periods: int | None
    away_until: int | None = None


class ClockInfo(View):
    """Both clocks at the time of sending; the running side is not charged for the next `grace_ms`."""

    running: SeatName | None
    first: SideClockInfo
    second: SideClockInfo
    grace_ms: int
