"""The application context: all services of one server, opened and closed in order."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from taiji.server.identity.account_service import AccountService
from taiji.server.identity.auth import Authenticator
from taiji.server.identity.auth_limits import AuthLimits
from taiji.server.identity.cache import UserCache
from taiji.server.identity.limits import RateLimiter
from taiji.server.identity.passwords import Passwords
from taiji.server.identity.sessions import SessionService
from taiji.server.identity.users import Users
from taiji.server.identity.watch import CredentialWatch
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
from taiji.server.live.seat_links import SeatLinks
from taiji.server.live.table_service import TableService
from taiji.server.store.store import Store
from taiji.server.tournaments.feed import TournamentFeed
from taiji.server.tournaments.manager import TournamentManager
from taiji.server.tournaments.ratings import Ratings
from taiji.server.web.erasure import Erasure
from taiji.server.web.moderation_watch import ModerationWatch
from taiji.server.web.sockets import Sockets

if TYPE_CHECKING:
    from taiji.server.settings import ServerSettings
    from taiji.server.time_source import TimeSource

GOING_AWAY = 1012
PURGE_INTERVAL_S = 3600.0


class AppContext:
    """The services of one server."""

    def __init__(self, settings: ServerSettings, time: TimeSource) -> None:
        self.settings = settings
        self.time = time
        self.store = Store(settings.database_url)
        self.rate_limiter = RateLimiter(time, settings.rate_limit_scale)
        self.auth_limits = AuthLimits(self.rate_limiter)
        self.watch = CredentialWatch()
        cache = UserCache()
        passwords = Passwords()
        self.users = Users(self.store, cache, self.watch, passwords, time)
        self.account_service = AccountService(self.store, passwords, time)
        self.sessions = SessionService(self.store, cache, self.watch, time)
        self.authenticator = Authenticator(settings, self.users, self.sessions)
        self.rooms = RoomManager(self.store, time)
        self.engines = EnginePool(settings.engines, settings.engine_queue, settings.engine_memory_mb)
        self.computer = Computer(self.rooms, self.engines, settings.computer_pace_s)
        self.search_quota = SearchQuota(self.engines)
        self.records = RecordStore(self.store, time)
        self.reviews = Reviews(self.store, self.search_quota, time)
        self.lobby = Lobby(self.store, self.rooms, time)
        self.bus = NotificationBus()
        self.table_notifier = TableNotifier(self.rooms, self.bus, time)
        self.ratings = Ratings(self.store, self.rooms, time)
        self.seat_links = SeatLinks(self.store, self.rooms, time)
        self.table_service = TableService(
            self.rooms,
            self.users,
            time,
            links=self.seat_links,
            get_rating=self.ratings.get_rating,
            has_computer=self.engines.max_workers > 0,
        )
        self.tournaments = TournamentManager(self.store, self.rooms, self.ratings, time)
        self.tournament_feed = TournamentFeed(self.tournaments, self.rooms, time)
        self.erasure = Erasure(self.store, self.rooms, self.tournaments, self.ratings, time)
        self.moderation = ModerationWatch(self.store, self.sessions, self.rooms, self.tournaments, time)
        self.pictures = Pictures(self.engines)
        self.sockets = Sockets(
            settings,
            time,
            authenticator=self.authenticator,
            watch=self.watch,
            rate_limiter=self.rate_limiter,
            rooms=self.rooms,
            lobby=self.lobby,
            tournament_feed=self.tournament_feed,
        )
        self.opened_at = 0
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Open the database, resume interrupted games, and start the background loops."""
        await self.store.open()
        await resume_after_restart(self.store, self.time)
        await self.reviews.fail_interrupted()
        self.rooms.start()
        await self.ratings.rate_missed()
        await self.tournaments.resume_after_restart()
        await self.moderation.start()
        self.opened_at = self.time.now()
        self._tasks = [
            asyncio.create_task(run_heartbeat(self.store, self.rooms, self.time)),
            asyncio.create_task(self.sockets.run_ping_loop()),
            asyncio.create_task(self.lobby.run_push_loop()),
            asyncio.create_task(self.tournament_feed.run_push_loop()),
            asyncio.create_task(self._purge_loop()),
            asyncio.create_task(self.moderation.run()),
        ]

    async def _purge_loop(self) -> None:
        """Delete ended sessions and links once per hour."""
        while True:
            await self.sessions.purge()
            await self.seat_links.purge()
            await self.time.sleep(PURGE_INTERVAL_S)

    def close_streams(self) -> None:
        """End the streams, which would otherwise keep their connections open during shutdown."""
        self.bus.close()
        self.tournament_feed.close(GOING_AWAY)
        for room in self.rooms.rooms.values():
            room.close(GOING_AWAY)

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
        await record_shutdown(self.store, self.time)
        await self.store.close()
