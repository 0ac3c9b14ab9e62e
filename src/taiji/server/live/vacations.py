"""Vacations: for some days per year a player's correspondence clocks do not run."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from taiji.rules import Seat
from taiji.server.contract.errors import ApiError
from taiji.server.contract.events import Started
from taiji.server.contract.vacations import VACATION_DAYS_PER_YEAR, VacationInfo
from taiji.server.domain.clocks import DAY_MS
from taiji.server.identity.credentials import new_id
from taiji.server.live.orders import TakeVacation
from taiji.server.store import queries
from taiji.server.store.identities import lock_player, player_ids
from taiji.server.store.schema_talk import vacations
from taiji.server.store.writer import StoreError

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from taiji.server.domain.table import Event
    from taiji.server.identity.users import User
    from taiji.server.live.room import Room
    from taiji.server.live.rooms import RoomManager
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

log = logging.getLogger("taiji.server")

REPAIR_INTERVAL_S = 60.0
MAX_TABLES = 10_000
AWAY = 5
"""The place of the vacations in a stored clock."""


class Vacations:
    """Begins and ends vacations, and tells every game of the player."""

    def __init__(self, store: Store, rooms: RoomManager, time: TimeSource) -> None:
        self._store = store
        self._rooms = rooms
        self._time = time
        self._tasks: set[asyncio.Task[None]] = set()
        rooms.listeners.append(self._on_events)

    async def read(self, user: User) -> VacationInfo:
        """Return a user's vacation and the days that are left."""
        return await self._store.read(partial(_info, ids=user.ids, now=self._time.now()))

    async def begin(self, user: User, days: int) -> VacationInfo:
        """Let a vacation begin now; the games are told, and again by `repair` if that fails."""
        now = self._time.now()

        def write(connection: Connection) -> int:
            lock_player(connection, user.ids)
            info = _info(connection, user.ids, now)
            if info.until is not None:
                raise ApiError("away")
            if days > info.days_left:
                raise ApiError("no-days-left")
            until = now + days * DAY_MS
            row = {"id": new_id(), "user_id": user.id, "started_at": now, "ends_at": until, "days": days}
            connection.execute(insert(vacations), [row])
            return until

        await self._tell_games(user.ids, await self._store.write(write))
        return await self.read(user)

    async def end(self, user: User) -> VacationInfo:
        """End a vacation now; the days that have not begun are not counted."""
        now = self._time.now()
        current = await self._store.read(partial(_current, ids=user.ids, now=now))
        if current is None:
            raise ApiError("not-found", "you are not on vacation")
        await self._tell_games(user.ids, None)
        used = -(-max(1, now - current["started_at"]) // DAY_MS)
        done = update(vacations).where(vacations.c.id == current["id"]).values(ends_at=now, days=used)
        await self._store.write(lambda connection: connection.execute(done).rowcount)
        return await self.read(user)

    async def _tell_games(self, ids: frozenset[str], until: int | None) -> None:
        for row in await self._store.read(partial(_slow_games, ids=ids)):
            if _is_told(row, ids, until):
                continue
            room = await self._rooms.get(row["id"])
            seat = room.table.find_seat(ids)
            if seat is not None:
                await self._rooms.perform(room, TakeVacation(seat, until))

    # --- games that begin during a vacation, and repairs ---------------------------------------------------

    def _on_events(self, room: Room, events: list[Event]) -> None:
        clock = room.table.clock
        if clock is None or clock.rule.clock_type != "correspondence":
            return
        if any(isinstance(event.data, Started) for event in events):
            task = asyncio.create_task(self._apply_vacations(room))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _apply_vacations(self, room: Room) -> None:
        """Let the clock of a new game rest for players who are away."""
        now = self._time.now()
        for seat in Seat:
            player = room.table.seats[seat]
            if player is None:
                continue
            try:
                current = await self._store.read(partial(_current_of_player, user_id=player.id, now=now))
                if current is not None:
                    await self._rooms.perform(room, TakeVacation(seat, current["ends_at"]))
            except (ApiError, SQLAlchemyError, StoreError) as error:
                log.warning("table %s did not get a vacation: %s", room.table.id, error)

    async def run(self) -> None:
        """Repair what a crash left undone, now and then."""
        while True:
            await self.repair()
            await self._time.sleep(REPAIR_INTERVAL_S)

    async def repair(self) -> None:
        """Tell the games of players on vacation that were not told; each server looks at all."""
        for user_id, until in await self._store.read(partial(_all_current, now=self._time.now())):
            ids = await self._store.read(partial(player_ids, user_id=user_id))
            try:
                await self._tell_games(ids, until)
            except ApiError as error:
                log.warning("the games of a player did not get a vacation: %s", error)

    async def close(self) -> None:
        """Wait for tasks in progress."""
        await asyncio.gather(*self._tasks, return_exceptions=True)


def _year_start(now: int) -> int:
    year = datetime.fromtimestamp(now / 1000, UTC).year
    return int(datetime(year, 1, 1, tzinfo=UTC).timestamp() * 1000)


def _current(connection: Connection, ids: frozenset[str], now: int) -> dict[str, Any] | None:
    wanted = (vacations.c.user_id.in_(sorted(ids)), vacations.c.ends_at > now)
    row = connection.execute(select(vacations).where(*wanted)).mappings().first()
    return None if row is None else dict(row)


def _current_of_player(connection: Connection, user_id: str, now: int) -> dict[str, Any] | None:
    return _current(connection, player_ids(connection, user_id), now)


def _all_current(connection: Connection, now: int) -> list[tuple[str, int]]:
    query = select(vacations.c.user_id, vacations.c.ends_at).where(vacations.c.ends_at > now)
    return [(row.user_id, row.ends_at) for row in connection.execute(query)]


def _info(connection: Connection, ids: frozenset[str], now: int) -> VacationInfo:
    current = _current(connection, ids, now)
    this_year = (vacations.c.user_id.in_(sorted(ids)), vacations.c.started_at >= _year_start(now))
    used = connection.execute(select(func.sum(vacations.c.days)).where(*this_year)).scalar() or 0
    return VacationInfo(
        until=None if current is None else current["ends_at"],
        days_left=max(0, VACATION_DAYS_PER_YEAR - int(used)),
        days_per_year=VACATION_DAYS_PER_YEAR,
    )


def _slow_games(connection: Connection, ids: frozenset[str]) -> list[dict[str, Any]]:
    rows = queries.list_tables(connection, status="playing", ids=ids, limit=MAX_TABLES)
    return [row for row in rows if (row["clock_rule"] or {}).get("clock_type") == "correspondence"]


def _is_told(row: dict[str, Any], ids: frozenset[str], until: int | None) -> bool:
    """Return whether the stored clock of a game knows until when a player is away."""
    clock: list[Any] = row["clock"]
    away = clock[AWAY] if len(clock) > AWAY else [0, 0]
    seat = 0 if row["first_id"] in ids else 1
    return bool(away[seat] == (until or 0))
