"""Recurring tournaments: what an operator has switched on, and when each begins."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import ValidationError
from sqlalchemy import delete, insert, select, update

from taiji.server.contract.errors import ApiError
from taiji.server.contract.tournaments import NewTournament
from taiji.server.domain.game_definition import playable_game
from taiji.server.identity.credentials import new_id
from taiji.server.store import audit
from taiji.server.store.results import forget_tournament
from taiji.server.store.schema_tournaments import recurring_tournaments, tournaments

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection, RowMapping

    from taiji.server.identity.moderation import Operator

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
UNLIST = "unlist"
"""The action of the audit log that takes a tournament off the public list."""
AHEAD_DAYS = 7
MAX_AHEAD_DAYS = 60


class RecurringError(ValueError):
    """A recurring tournament that cannot be created or is not known."""


@dataclass(frozen=True, slots=True)
class Recurring:
    """A tournament that begins every week."""

    id: str
    settings: dict[str, Any]
    weekday: int
    """0 is Monday."""
    minute: int
    """Of the day."""
    timezone: str
    min_players: int
    ahead_days: int
    enabled: bool

    def occurrences(self, now: int) -> Iterator[int]:
        """Yield the start times in ms that are to be announced at a time in ms, the next first."""
        zone, end = ZoneInfo(self.timezone), now + self.ahead_days * 86_400_000
        day: date = datetime.fromtimestamp(now / 1000, UTC).date() - timedelta(days=1)
        while True:
            local = datetime.combine(day, time(self.minute // 60, self.minute % 60), zone)
            at = int(local.timestamp() * 1000)
            if at > end:
                return
            if at > now and day.weekday() == self.weekday:
                yield at
            day += timedelta(days=1)

    def request(self, starts_at: int) -> NewTournament:
        """Return the request for one occurrence."""
        values = {**self.settings, "public": True, "starts_at": starts_at, "min_players": self.min_players}
        return NewTournament.model_validate(values)


def list_recurring(connection: Connection, *, only_enabled: bool = False) -> list[Recurring]:
    """Return the recurring tournaments, oldest first."""
    query = select(recurring_tournaments).order_by(recurring_tournaments.c.created_at)
    if only_enabled:
        query = query.where(recurring_tournaments.c.enabled)
    return [_from_row(row) for row in connection.execute(query).mappings()]


def known_starts(connection: Connection, recurring_id: str) -> set[int]:
    """Return the start times for which a recurring tournament has been created."""
    query = select(tournaments.c.starts_at).where(tournaments.c.recurring_id == recurring_id)
    return set(connection.execute(query).scalars())


def add_recurring(
    connection: Connection,
    settings: dict[str, Any],
    *,
    weekday: int,
    minute: int,
    timezone: str = "UTC",
    min_players: int = 4,
    ahead_days: int = AHEAD_DAYS,
    by: Operator,
) -> Recurring:
    """Switch a recurring tournament on; raise `ValueError` if it could not be played."""
    try:
        ZoneInfo(timezone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise RecurringError(f"timezone: unknown {timezone!r} (expected one such as Europe/Lisbon)") from None
    one = Recurring(new_id(), settings, weekday, minute, timezone, min_players, ahead_days, enabled=True)
    try:
        request = one.request(1)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise RecurringError(f"{where}: {first['msg']}") from None
    try:
        playable_game(request.game)
    except ApiError as error:
        raise RecurringError(error.message) from None
    stored = request.model_dump(mode="json", exclude={"public", "starts_at", "min_players"})
    row = {
        "id": one.id, "settings": stored, "weekday": weekday, "minute": minute, "timezone": timezone,
        "min_players": min_players, "ahead_days": ahead_days, "enabled": True, "created_at": by.now,
    }  # fmt: skip
    connection.execute(insert(recurring_tournaments), [row])
    _log(connection, by, "recurring-add", f"{one.id} {request.name}")
    return one


def switch_recurring(connection: Connection, recurring_id: str, *, enabled: bool, by: Operator) -> None:
    """Switch a recurring tournament on or off; those that are announced stay."""
    this = recurring_tournaments.c.id == recurring_id
    changed = connection.execute(update(recurring_tournaments).where(this).values(enabled=enabled))
    _require(changed.rowcount, recurring_id)
    _log(connection, by, "recurring-on" if enabled else "recurring-off", recurring_id)


def remove_recurring(connection: Connection, recurring_id: str, *, by: Operator) -> None:
    """Forget a recurring tournament; those that are announced stay."""
    this = recurring_tournaments.c.id == recurring_id
    _require(connection.execute(delete(recurring_tournaments).where(this)).rowcount, recurring_id)
    _log(connection, by, "recurring-remove", recurring_id)


def unlist_tournament(connection: Connection, tournament_id: str, *, by: Operator) -> None:
    """Take a tournament off the public list: from now on it is by link. A running server follows the log."""
    this = (tournaments.c.id == tournament_id, tournaments.c.public)
    if not connection.execute(update(tournaments).where(*this).values(public=False)).rowcount:
        raise RecurringError(f"no public tournament {tournament_id!r} (expected the id in its address)")
    forget_tournament(connection, tournament_id)
    _log(connection, by, UNLIST, tournament_id)


def _log(connection: Connection, by: Operator, action: str, what: str) -> None:
    detail = f"{what} {by.reason}".strip()[:200]
    audit.add_entry(connection, action, None, at=by.now, actor=by.name, detail=detail)


def _require(count: int, recurring_id: str) -> None:
    if not count:
        raise RecurringError(f"no recurring tournament {recurring_id!r} (expected an id of `recurring list`)")


def _from_row(row: RowMapping) -> Recurring:
    return Recurring(
        row["id"], row["settings"], row["weekday"], row["minute"], row["timezone"], row["min_players"],
        row["ahead_days"], row["enabled"],
    )  # fmt: skip
