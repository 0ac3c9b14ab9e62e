"""Staying fair across restarts: nobody is charged for the time that the server was away."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, insert, update

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
    """Let every running clock go on from now; return how many there are."""
    running = list(queries.running_clocks(connection))
    gone = queries.last_heartbeat(connection, PROCESS)
    if not running or gone is None:
        return 0
    happened, changed = [], []
    for row in running:
        clock = Clock.from_json(ClockRule.from_wire(row["clock_rule"]), row["clock"]).resume(gone, now)
        version, stored = row["version"] + 1, clock.to_json()
        happened.append(
            {
                "table_id": row["id"],
                "version": version,
                "kind": "resume",
                "at": now,
                "data": {"away_ms": max(0, now - gone)},
                "clock": stored,
                "client": None,
            }
        )
        changed.append({"b_id": row["id"], "version": version, "clock": stored, "deadline": clock.deadline})
    connection.execute(insert(events), happened)
    values: dict[str, Any] = {name: bindparam(name) for name in ("version", "clock", "deadline")}
    connection.execute(update(tables).where(tables.c.id == bindparam("b_id")).values(**values), changed)
    return len(changed)


async def run_heartbeat(store: Store, rooms: RoomManager, times: TimeSource) -> None:
    """Note every second that the server is alive, while any clock runs."""
    while True:
        if any(room.table.deadline is not None for room in rooms.rooms.values()):
            await store.write(partial(queries.write_heartbeat, process=PROCESS, at=times.now()))
        await times.sleep(HEARTBEAT_INTERVAL_S)


async def resume_after_restart(store: Store, times: TimeSource) -> int:
    """Bring the clocks of a stopped server up to now."""
    now = times.now()
    count = await store.write(partial(resume_clocks, now=now))
    await store.write(partial(queries.write_heartbeat, process=PROCESS, at=now))
    return count


async def record_shutdown(store: Store, times: TimeSource) -> None:
    """Note the last moment of a server that ends in good order."""
    await asyncio.shield(store.write(partial(queries.write_heartbeat, process=PROCESS, at=times.now())))
