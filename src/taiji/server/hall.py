"""The hall: everything that one server holds, put together, opened and closed in order."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from taiji.server.bus import Bus
from taiji.server.computer import Computer
from taiji.server.engines import Engines
from taiji.server.limits import Limits
from taiji.server.lobby import Lobby
from taiji.server.notices import Notices
from taiji.server.people import People
from taiji.server.pictures import Pictures
from taiji.server.recordbook import RecordBook
from taiji.server.resume import keep_beating, lie_down, wake_up
from taiji.server.reviews import Reviews
from taiji.server.rooms import Rooms
from taiji.server.searches import Searches
from taiji.server.seats import Seats
from taiji.server.sockets import Sockets
from taiji.server.store.store import Store
from taiji.server.tables import Host
from taiji.server.tournaments.live import Live
from taiji.server.tournaments.office import Office
from taiji.server.tournaments.ratings import Ratings

if TYPE_CHECKING:
    from taiji.server.room import Room
    from taiji.server.settings import Settings
    from taiji.server.times import Times


class Hall:
    """One server."""

    def __init__(self, settings: Settings, times: Times) -> None:
        self.settings = settings
        self.times = times
        self.store = Store(settings.database_url)
        self.limits = Limits(times, settings.limit_scale)
        self.people = People(self.store, times)
        self.seats = Seats(self.people)
        self.rooms = Rooms(self.store, times)
        self.engines = Engines(settings.engines, settings.engine_queue, settings.engine_memory_mb)
        self.computer = Computer(self.rooms, self.engines, settings.computer_pace_s)
        self.searches = Searches(self.engines)
        self.records = RecordBook(self.store, times)
        self.reviews = Reviews(self.store, self.searches, times)
        self.lobby = Lobby(self.store, self.rooms, times)
        self.bus = Bus()
        self.notices = Notices(self.rooms, self.bus, times)
        self.host = Host(self)
        self.office = Office(self)
        self.live = Live(self.office, self.rooms, times)
        self.ratings = Ratings(self.store, self.rooms)
        self.pictures = Pictures(self.engines)
        self.sockets = Sockets(self)
        self.opened = 0
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Open the database, let interrupted games go on, and begin to watch clocks."""
        await self.store.open()
        await wake_up(self.store, self.times)
        await self.reviews.tidy()
        self.rooms.start()
        await self.ratings.wake_up()
        await self.office.wake_up()
        self.opened = self.times.now()
        self._tasks = [
            asyncio.create_task(keep_beating(self.store, self.rooms, self.times)),
            asyncio.create_task(self.sockets.keep_pinging()),
            asyncio.create_task(self.lobby.keep_telling()),
            asyncio.create_task(self.live.keep_telling()),
        ]

    def say_goodbye(self) -> None:
        """End what would otherwise go on for ever: streams; called before connections are waited for."""
        self.bus.close()
        self.live.close(1012)
        for room in self.rooms.rooms.values():
            room.close(1012)

    async def close(self) -> None:
        """Stop everything, the database last."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.reviews.close()
        await self.computer.close()
        await self.engines.close()
        await self.office.close()
        await self.ratings.close()
        await self.rooms.close()
        await lie_down(self.store, self.times)
        await self.store.close()

    def invite_for(self, room: Room, ids: frozenset[str]) -> str | None:
        """Return the path of a table's join link, for who made the table and while a seat is free."""
        table = room.table
        if room.invite is None or table.status != "waiting" or table.terms.maker not in ids:
            return None
        return f"/join#{room.invite}"
