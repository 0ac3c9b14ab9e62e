"""The agenda: a player's games in progress, by the time at which a move is due."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from taiji.server.contract.clocks import CLOCK_CHOICE
from taiji.server.contract.vacations import Agenda, AgendaEntry
from taiji.server.domain.clocks import Clock, ClockRule
from taiji.server.domain.views import summary_views
from taiji.server.store import queries

if TYPE_CHECKING:
    from taiji.server.identity.users import User
    from taiji.server.live.vacations import Vacations
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

MAX_ENTRIES = 200


async def read_agenda(store: Store, vacations: Vacations, time: TimeSource, user: User) -> Agenda:
    """Return a user's games in progress, the first deadline first, games without one last."""
    rows = await store.read(partial(queries.list_tables, status="playing", ids=user.ids, limit=MAX_ENTRIES))
    now = time.now()
    entries = [_entry(row, user, now) for row in rows if row["opponent"] != "computer"]
    entries.sort(key=lambda entry: (entry.deadline is None, entry.deadline or 0, entry.table.id))
    return Agenda(entries=entries, vacation=await vacations.read(user))


def _entry(row: dict[str, Any], user: User, now: int) -> AgendaEntry:
    (summary,) = summary_views([row], user.ids, [0])
    return AgendaEntry(
        table=summary,
        your_turn=summary.turn is not None and summary.turn == summary.your_seat,
        deadline=row["deadline"],
        away_until=_away_until(row, now),
    )


def _away_until(row: dict[str, Any], now: int) -> int | None:
    """Return until when the side to move is on vacation."""
    if row["clock"] is None or row["clock_rule"] is None:
        return None
    clock = Clock.from_json(
        ClockRule.from_choice(CLOCK_CHOICE.validate_python(row["clock_rule"])), row["clock"]
    )
    if clock.running is None:
        return None
    until = clock.away_until[clock.running]
    return until if until > now else None
