"""A room shows a state once it is on disk and published."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

from taiji.server.live.room import Room

if TYPE_CHECKING:
    from taiji.server.domain.table import Table


def test_a_state_is_published_before_a_visitor_sees_it() -> None:
    async def run() -> list[str]:
        room, published = Room(cast("Table", None), []), list[str]()
        room.pending = asyncio.get_running_loop().create_future()
        room.pending.add_done_callback(lambda _: published.append("event"))
        room.pending.set_result(None)
        await room.wait_persisted()
        await room.wait_persisted()
        return list(published)

    assert asyncio.run(run()) == ["event"]
