"""Restarts: no clock is charged for the time that the server was down."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, insert, update

from taiji.server.contract.clocks import CLOCK_CHOICE
from taiji.server.contract.events import EVENT_FORMAT, Resumed
from taiji.server.domain.clocks import Clock, ClockRule
from taiji.server.store import queries
from taiji.server.store.schema import events, tables

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from taiji.server.live.rooms import RoomManager
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

PROCESS = "main"
HEARTBEAT_INTERVAL_S = 1.0


def resume_clocks(connection: Connection, now: int) -> int:
    """Let every running clock continue from now; return their number."""
    running = list(queries.running_clocks(connection))
    went_down = queries.last_heartbeat(connection, PROCESS)
    if not running or went_down is None:
        return 0
    data = Resumed(downtime_ms=max(0, now - went_down))
    rows, changed = [], []
    for row in running:
        rule = ClockRule.from_choice(CLOCK_CHOICE.validate_python(row["clock_rule"]))
        clock = Clock.from_json(rule, row["clock"]).resume(went_down, now)
        version, stored = row["version"] + 1, clock.to_json()
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
    connection.execute(insert(events), rows)
    values: dict[str, Any] = {name: bindparam(name) for name in ("version", "clock", "deadline")}
    connection.execute(update(tables).where(tables.c.id == bindparam("b_id")).values(**values), changed)
    return len(changed)


async def run_heartbeat(store: Store, rooms: RoomManager, time: TimeSource) -> None:
    """Write a heartbeat every second while any clock runs."""
    while True:
        if any(room.table.deadline is not None for room in rooms.rooms.values()):
            await store.write(partial(queries.write_heartbeat, process=PROCESS, at=time.now()))
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
