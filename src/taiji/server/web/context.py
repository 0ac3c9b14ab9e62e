"""The hall: everything that one server holds, put together, opened and closed in order."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from taiji.server.identity.auth import Authenticator
from taiji.server.identity.limits import RateLimiter
from taiji.server.identity.users import Users
from taiji.server.jobs.computer import Computer
from taiji.server.jobs.engines import EnginePool
from taiji.server.jobs.pictures import Pictures
from taiji.server.jobs.record_store import RecordStore
from taiji.server.jobs.reviews import Reviews
from taiji.server.jobs.searches import SearchQuota
from taiji.server.live.bus import NotificationBus
from taiji.server.live.lobby import Lobby
from taiji.server.live.notifications import TableNotifier
from taiji.server.live.resume import record_shutdown, resume_after_restart, run_heartbeat
from taiji.server.live.rooms import RoomManager
from taiji.server.live.table_service import TableService
from taiji.server.store.store import Store
from taiji.server.tournaments.feed import TournamentFeed
from taiji.server.tournaments.manager import TournamentManager
from taiji.server.tournaments.ratings import Ratings
from taiji.server.web.sockets import Sockets

if TYPE_CHECKING:
    from taiji.server.live.room import Room
    from taiji.server.settings import ServerSettings
    from taiji.server.time_source import TimeSource


class AppContext:
    """One server."""

    def __init__(self, settings: ServerSettings, times: TimeSource) -> None:
        self.settings = settings
        self.times = times
        self.store = Store(settings.database_url)
        self.rate_limiter = RateLimiter(times, settings.rate_limit_scale)
        self.users = Users(self.store, times)
        self.authenticator = Authenticator(self.users)
        self.rooms = RoomManager(self.store, times)
        self.engines = EnginePool(settings.engines, settings.engine_queue, settings.engine_memory_mb)
        self.computer = Computer(self.rooms, self.engines, settings.computer_pace_s)
        self.search_quota = SearchQuota(self.engines)
        self.records = RecordStore(self.store, times)
        self.reviews = Reviews(self.store, self.search_quota, times)
        self.lobby = Lobby(self.store, self.rooms, times)
        self.bus = NotificationBus()
        self.table_notifier = TableNotifier(self.rooms, self.bus, times)
        self.table_service = TableService(self)
        self.tournaments = TournamentManager(self)
        self.tournament_feed = TournamentFeed(self.tournaments, self.rooms, times)
        self.ratings = Ratings(self.store, self.rooms)
        self.pictures = Pictures(self.engines)
        self.sockets = Sockets(self)
        self.opened_at = 0
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Open the database, let interrupted games go on, and begin to watch clocks."""
        await self.store.open()
        await resume_after_restart(self.store, self.times)
        await self.reviews.fail_interrupted()
        self.rooms.start()
        await self.ratings.rate_missed()
        await self.tournaments.resume_after_restart()
        self.opened_at = self.times.now()
        self._tasks = [
            asyncio.create_task(run_heartbeat(self.store, self.rooms, self.times)),
            asyncio.create_task(self.sockets.run_ping_loop()),
            asyncio.create_task(self.lobby.run_push_loop()),
            asyncio.create_task(self.tournament_feed.run_push_loop()),
        ]

    def close_streams(self) -> None:
        """End what would otherwise go on for ever: streams; called before connections are waited for."""
        self.bus.close()
        self.tournament_feed.close(1012)
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
        await self.tournaments.close()
        await self.ratings.close()
        await self.rooms.close()
        await record_shutdown(self.store, self.times)
        await self.store.close()

    def invite_for(self, room: Room, ids: frozenset[str]) -> str | None:
        """Return the path of a table's join link, for who made the table and while a seat is free."""
        table = room.table
        if room.invite is None or table.status != "waiting" or table.settings.creator not in ids:
            return None
        return f"/join#{room.invite}"
