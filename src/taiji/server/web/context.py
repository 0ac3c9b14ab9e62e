"""The application context: all services of one server, opened and closed in order."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from taiji.server.domain.byte_cache import ByteCache
from taiji.server.identity.account_service import AccountService
from taiji.server.identity.auth import Authenticator
from taiji.server.identity.auth_limits import AuthLimits
from taiji.server.identity.blocks import Blocks
from taiji.server.identity.cache import UserCache
from taiji.server.identity.connections import Connections
from taiji.server.identity.limits import RateLimiter
from taiji.server.identity.passwords import Passwords
from taiji.server.identity.reports import Reports
from taiji.server.identity.sessions import SessionService
from taiji.server.identity.users import Users
from taiji.server.identity.watch import CredentialWatch
from taiji.server.jobs.computer import Computer
from taiji.server.jobs.engines import EnginePool
from taiji.server.jobs.openings import Openings
from taiji.server.jobs.pictures import Pictures
from taiji.server.jobs.push import PushService
from taiji.server.jobs.record_store import RecordStore
from taiji.server.jobs.reviews import Reviews
from taiji.server.jobs.searches import SearchQuota
from taiji.server.jobs.shared_engines import SharedEngines
from taiji.server.jobs.tasks import Tasks
from taiji.server.live.alerts import Alerts
from taiji.server.live.bus import NotificationBus
from taiji.server.live.game_builder import GameBuilder
from taiji.server.live.inbox import Inbox
from taiji.server.live.listings import Listings
from taiji.server.live.lobby import Lobby
from taiji.server.live.notifications import TableNotifier
from taiji.server.live.online import OnlineAccounts
from taiji.server.live.pairing import Pairing
from taiji.server.live.player_pages import PlayerPages
from taiji.server.live.presence import PresenceMap
from taiji.server.live.resume import Takeover, record_shutdown, resume_after_restart, run_heartbeat
from taiji.server.live.rooms import RoomManager
from taiji.server.live.seat_links import SeatLinks
from taiji.server.live.supervisor import Loop, Supervisor
from taiji.server.live.table_service import TableService
from taiji.server.live.talk import Talk
from taiji.server.live.vacations import Vacations
from taiji.server.store.retention import DAY_MS, delete_abandoned, find_abandoned
from taiji.server.store.store import Store
from taiji.server.tournaments.feed import TournamentFeed
from taiji.server.tournaments.listing import current_tournaments
from taiji.server.tournaments.manager import TournamentManager
from taiji.server.tournaments.puzzle_ratings import PuzzleRatings
from taiji.server.tournaments.ratings import Ratings
from taiji.server.tournaments.schedule import TournamentSchedule
from taiji.server.web.cluster import follow_ownership, make_peers, run_recheck, share_revocations
from taiji.server.web.erasure import Erasure
from taiji.server.web.moderation_watch import ModerationWatch
from taiji.server.web.readiness import Readiness
from taiji.server.web.sockets import Sockets

if TYPE_CHECKING:
    from taiji.server.cluster.bus import MessageBus
    from taiji.server.settings import ServerSettings
    from taiji.server.time_source import TimeSource
    from taiji.server.web.metrics import Metrics

GOING_AWAY = 1012
PURGE_INTERVAL_S = 3600.0
MAX_DEFINITION_BYTES = 16 << 20


class AppContext:
    """The services of one server."""

    def __init__(self, settings: ServerSettings, time: TimeSource, bus: MessageBus | None = None) -> None:
        self.settings = settings
        self.time = time
        self.store = Store(settings.database_url, shared=settings.cluster is not None or bus is not None)
        self.peers = make_peers(settings, self.store, bus)
        self.supervisor = Supervisor(time)
        self.readiness = Readiness(self.store, time)
        self.rate_limiter = RateLimiter(time, settings.rate_limit_scale)
        self.connections = Connections(self.rate_limiter)
        self.auth_limits = AuthLimits(self.rate_limiter)
        self.watch = CredentialWatch()
        cache = UserCache()
        self.tasks = Tasks(settings.task_workers, self.rate_limiter)
        passwords = Passwords(self.tasks.count_guesses)
        self.users = Users(self.store, cache, self.watch, passwords, time)
        self.account_service = AccountService(self.store, passwords, time)
        self.sessions = SessionService(self.store, cache, self.watch, time)
        self.authenticator = Authenticator(settings, self.users, self.sessions)
        share_revocations(self.peers, cache, self.watch)
        self.rooms = RoomManager(self.store, time, self.peers)
        self.games = GameBuilder(self.rate_limiter)
        self.takeover = Takeover(self.rooms)
        follow_ownership(self.store, self.peers, self.takeover, time)
        local = EnginePool(settings.engines, settings.engine_queue, settings.engine_memory_mb)
        self.engines = SharedEngines(local, None if self.peers.is_alone else self.peers.bus)
        self.computer = Computer(self.rooms, self.engines, settings.computer_pace_s)
        self.search_quota = SearchQuota(self.engines)
        self.definitions = ByteCache(MAX_DEFINITION_BYTES)
        self.records = RecordStore(self.store, time)
        self.reviews = Reviews(self.store, self.search_quota, time, self.peers)
        self.openings = Openings(self.store, time)
        self.online = OnlineAccounts(self.connections, self.peers, time)
        self.listings = Listings(self.store, self.rooms, self.online, time)
        self.lobby = Lobby(self.listings, self.rooms, self.online, time)
        self.player_pages = PlayerPages(self.store, self.listings, self.online, time)
        self.bus = NotificationBus(self.peers)
        self.presence = PresenceMap(self.rooms, self.peers, self.bus)
        self.table_notifier = TableNotifier(self.rooms, self.bus, time)
        self.blocks = Blocks(self.store, time)
        self.reports = Reports(self.store, time)
        self.talk = Talk(self.store, self.rooms, time)
        self.vacations = Vacations(self.store, self.rooms, time)
        self.inbox = Inbox(self.store, self.rooms, time)
        self.alerts = Alerts(self.store, self.rooms, self.inbox)
        self.pushes = PushService(self.store, self.rate_limiter, time, settings)
        self.alerts.push = self.pushes.enqueue
        self.ratings = Ratings(self.store, self.rooms, time)
        self.puzzle_ratings = PuzzleRatings(self.store, time)
        self.seat_links = SeatLinks(self.store, self.rooms, time)
        self.table_service = TableService(
            self.rooms,
            self.users,
            time,
            links=self.seat_links,
            blocks=self.blocks,
            get_rating=self.ratings.get_rating,
            has_computer=lambda: self.engines.max_workers > 0,
        )
        self.pairing = Pairing(
            self.store, self.rooms, self.listings, self.table_service, time, blocks=self.blocks
        )
        self.tournaments = TournamentManager(self.store, self.rooms, self.ratings, time)
        self.lobby.list_tournaments = partial(current_tournaments, self.store)
        self.takeover.then += [self.ratings.rate_missed, self.tournaments.resume_after_restart]
        self.schedule = TournamentSchedule(self.store, self.rooms, self.tournaments, time)
        self.tournament_feed = TournamentFeed(self.tournaments, self.rooms, time)
        self.erasure = Erasure(self.store, self.rooms, self.tournaments, self.ratings, time)
        self.moderation = ModerationWatch(self.store, self.sessions, self.rooms, self.tournaments, time)
        self.pictures = Pictures(self.tasks)
        self.sockets = Sockets(
            settings,
            time,
            authenticator=self.authenticator,
            watch=self.watch,
            rate_limiter=self.rate_limiter,
            connections=self.connections,
            rooms=self.rooms,
            lobby=self.lobby,
            inbox=self.inbox,
            talk=self.talk,
            tournament_feed=self.tournament_feed,
        )
        self.metrics: Metrics | None = None
        if settings.metrics_port is not None:
            from taiji.server.web.metrics import Metrics

            self.metrics = Metrics(self)
        self.opened_at = 0

    @property
    def uptime_s(self) -> float:
        """The seconds since the start."""
        return (self.time.now() - self.opened_at) / 1000

    async def open(self) -> None:
        """Open the database, resume interrupted games, and start the background loops."""
        await self.store.open()
        await self.peers.open()
        await self.engines.open()
        if self.store.backend == "sqlite":
            await resume_after_restart(self.store, self.time)
        await self.reviews.fail_interrupted()
        await self.pushes.open()
        self.rooms.start(self.supervisor)
        await self.ratings.rate_missed()
        self.tournaments.start_resuming()
        await self.moderation.start()
        self.opened_at = self.time.now()
        loops: dict[str, Loop] = {
            "pings": self.sockets.run_ping_loop,
            "lobby": self.lobby.run_push_loop,
            "online": self.online.run,
            "tournament feed": self.tournament_feed.run_push_loop,
            "schedule": self.schedule.run,
            "moderation": self.moderation.run,
            "openings": self.openings.run,
            "notifications": self.inbox.run_push_loop,
            "pushes": self.pushes.run,
            "vacations": self.vacations.run,
        }
        if self.store.backend == "sqlite":
            loops["heartbeat"] = partial(run_heartbeat, self.store, self.rooms, self.time)
        if not self.peers.is_alone:
            loops["presence"] = self.presence.run
            loops["tournaments"] = self.tournaments.run_sweep
            loops["revocations"] = partial(run_recheck, self.sessions)
        for name, purge in self._purges().items():
            loops[f"purge of {name}"] = partial(self._run_purge, purge)
        for name, loop in loops.items():
            self.supervisor.start(name, loop)

    def _purges(self) -> dict[str, Loop]:
        """Return what deletes the old rows of each kind; one that fails does not keep the others waiting."""
        return {
            "sessions": self.sessions.purge,
            "links": self.seat_links.purge,
            "pairings": self.pairing.purge,
            "notifications": self.inbox.purge,
            "pushes": self.pushes.purge,
            "games": self._delete_abandoned,
        }

    async def _run_purge(self, purge: Loop) -> None:
        while True:
            await purge()
            await self.time.sleep(PURGE_INTERVAL_S)

    async def _delete_abandoned(self) -> None:
        """Delete the games that nobody has touched for longer than they are kept."""
        days = self.settings.retention_days
        if days:
            before = self.time.now() - days * DAY_MS
            ids = await self.store.read(partial(find_abandoned, before=before))
            forgotten = [one for one in ids if one not in self.rooms.rooms]
            if forgotten:
                await self.store.write(partial(delete_abandoned, ids=forgotten, before=before))

    async def drain(self) -> None:
        """Let other servers go on with the games, and only then end the streams and sockets here."""
        self.readiness.is_draining = True
        await self.store.ownership.hand_over()
        self.close_streams()

    def close_streams(self) -> None:
        """End the streams, which would otherwise keep their connections open during shutdown."""
        self.readiness.is_draining = True
        self.tasks.refuse_all()
        self.bus.close()
        self.tournament_feed.close(GOING_AWAY)
        for room in self.rooms.rooms.values():
            room.close(GOING_AWAY)

    async def close(self) -> None:
        """Stop everything, the database last."""
        await self.supervisor.close()
        await self.pushes.close()
        await self.vacations.close()
        await self.reviews.close()
        await self.computer.close()
        await self.engines.close()
        await self.tasks.close()
        self.games.close()
        await self.tournaments.close()
        await self.ratings.close()
        await self.store.ownership.settle()
        await self.takeover.close()
        await self.rooms.close()
        if self.store.backend == "sqlite":
            await record_shutdown(self.store, self.time)
        await self.store.close()
        await self.peers.close()
