"""Correspondence: vacations, and the agenda of one's games by deadline."""

from __future__ import annotations

from pydantic import Field

from taiji.server.contract.messages import Message, StrictInt, View
from taiji.server.contract.tables import TableSummary

VACATION_DAYS_PER_YEAR = 30


class NewVacation(Message):
    """A vacation that begins now: for these days my correspondence clocks do not run."""

    days: StrictInt = Field(ge=1, le=VACATION_DAYS_PER_YEAR)


class VacationInfo(View):
    """Until when I am on vacation, or None; the days that are left of this year's."""

    until: int | None
    days_left: int
    days_per_year: int


class AgendaEntry(View):
    """A game in progress; `deadline` is None without a clock, `away_until` is set while the mover is away."""

    table: TableSummary
    your_turn: bool
    deadline: int | None
    away_until: int | None


class Agenda(View):
    """My games in progress by deadline, and my vacation."""

    entries: list[AgendaEntry]
    vacation: VacationInfo
