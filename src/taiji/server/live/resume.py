"""Restarts and takeovers: no clock is charged for the time that nobody could move.

On SQLite a heartbeat says when the server was last alive. On PostgreSQL the leases do: each shard that a
server gains comes with the time for which nobody owned it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, insert, update
from sqlalchemy.exc import SQLAlchemyError

from taiji.server.contract.clocks import CLOCK_CHOICE
from taiji.server.contract.errors import ApiError
from taiji.server.contract.events import EVENT_FORMAT, Resumed
from taiji.server.domain.clocks import Clock, ClockRule
from taiji.server.live.eviction import refresh_loaded_rooms
from taiji.server.store import queries
from taiji.server.store.schema import events, tables
from taiji.server.store.shards import shard_of
from taiji.server.store.writer import StoreError

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from taiji.server.live.rooms import RoomManager
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

log = logging.getLogger("taiji.server")

PROCESS = "main"
HEARTBEAT_INTERVAL_S = 1.0
LOOK_INTERVAL_MS = 60_000
"""How often the database is asked for running clocks; a game that somebody plays stays in memory longer."""
MIN_DOWNTIME_MS = 1000
"""A takeover within this time is charged like a slow network."""


def resume_clocks(connection: Connection, now: int, downtimes: Mapping[int, int | None] | None = None) -> int:
    """Let running clocks continue from now, all or those of shards with downtimes; return their number."""
    running = list(queries.running_clocks(connection, downtimes))
    last_alive = queries.last_heartbeat(connection, PROCESS) if running else None
    unknown = None if last_alive is None else max(0, now - last_alive)

    def downtime(table_id: str) -> int | None:
        known = None if downtimes is None else downtimes[shard_of(table_id)]
        if known is None:
            return unknown
        return known if known >= MIN_DOWNTIME_MS else None

    return _resume(connection, running, now, downtime)


def _resume(
    connection: Connection, running: list[Any], now: int, downtime: Callable[[str], int | None]
) -> int:
    rows, changed = [], []
    for row in running:
        downtime_ms = downtime(row["id"])
        if downtime_ms is None:
            continue
        rule = ClockRule.from_choice(CLOCK_CHOICE.validate_python(row["clock_rule"]))
        clock = Clock.from_json(rule, row["clock"]).resume(now - downtime_ms, now)
        data, version, stored = Resumed(downtime_ms=downtime_ms), row["version"] + 1, clock.to_json()
        rows.append(
            {
                "table_id": row["id"],
                "version": version,
                "event_type": data.event_type,
                "format": EVENT_FORMAT,
                "at": now,
                "data": data.model_dump(),
                "clock": stored,
                "request_id": None,
            }
        )
        changed.append({"b_id": row["id"], "version": version, "clock": stored, "deadline": clock.deadline})
    if rows:
        queries.run_many(connection, insert(events), rows)
        values: dict[str, Any] = {name: bindparam(name) for name in ("version", "clock", "deadline")}
        statement = update(tables).where(tables.c.id == bindparam("b_id")).values(**values)
        queries.run_many(connection, statement, changed)
    return len(changed)


async def run_heartbeat(store: Store, rooms: RoomManager, time: TimeSource) -> None:
    """Write a heartbeat every second while any clock runs, also that of a game that is not in memory."""
    runs_on_disk, look_at = False, 0
    while True:
        now = time.now()
        if now >= look_at:
            runs_on_disk, look_at = await store.read(queries.has_running_clock), now + LOOK_INTERVAL_MS
        if runs_on_disk or any(room.table.deadline is not None for room in rooms.rooms.values()):
            await store.write(partial(queries.write_heartbeat, process=PROCESS, at=now))
        await time.sleep(HEARTBEAT_INTERVAL_S)


async def resume_after_restart(store: Store, time: TimeSource) -> int:
    """Bring the clocks of a stopped server up to now; return their number."""
    now = time.now()
    count = await store.write(partial(resume_clocks, now=now))
    await store.write(partial(queries.write_heartbeat, process=PROCESS, at=now))
    return count


async def record_shutdown(store: Store, time: TimeSource) -> None:
    """Write a final heartbeat on clean shutdown, so that no clock is charged for the downtime."""
    await asyncio.shield(store.write(partial(queries.write_heartbeat, process=PROCESS, at=time.now())))


class Takeover:
    """Resumes the games of shards that this server gains."""

    def __init__(self, rooms: RoomManager) -> None:
        self._rooms = rooms
        self._taking_over: asyncio.Task[None] | None = None
        self.then: list[Callable[[], Awaitable[None]]] = []
        """Called when the rooms are taken over, for what else the former owner left unfinished."""
        rooms.ownership.on_gain.append(self._resume)

    async def _resume(self, downtimes: Mapping[int, int | None]) -> None:
        """Resume the clocks before anything is decided, and the rooms after that."""
        now = self._rooms.time.now()
        await self._rooms.store.write(partial(resume_clocks, now=now, downtimes=downtimes))

    def look(self) -> None:
        """Take over the rooms of the shards that this server has come to own."""
        if self._taking_over is None or self._taking_over.done():
            self._taking_over = asyncio.create_task(self._take_over())

    async def _take_over(self) -> None:
        rooms = self._rooms
        for step in (rooms.replicas.adopt_gained, lambda: refresh_loaded_rooms(rooms), *self.then):
            try:
                await step()
            except (SQLAlchemyError, StoreError, ApiError) as error:
                log.warning("games could not be taken over: %s", str(error).partition("\n")[0])
            except Exception:
                log.exception("games could not be taken over")  # the other steps are tried nevertheless

    async def close(self) -> None:
        """Stop."""
        if self._taking_over is not None:
            self._taking_over.cancel()
            await asyncio.gather(self._taking_over, return_exceptions=True)
