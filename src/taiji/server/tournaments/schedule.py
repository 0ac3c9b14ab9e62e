"""The schedule: announces recurring tournaments, and starts or cancels those whose time has come.

Everything it knows is in the database, so that a restart changes nothing. Each recurring tournament and each
tournament has one owner among the servers, which alone acts for it; the unique index of an occurrence refuses
a second one even if two servers believe to be the owner.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy.exc import IntegrityError

from taiji.server.contract.errors import ApiError
from taiji.server.tournaments.recurring import known_starts, list_recurring

if TYPE_CHECKING:
    from taiji.server.live.rooms import RoomManager
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource
    from taiji.server.tournaments.hosted import HostedTournament
    from taiji.server.tournaments.manager import TournamentManager
    from taiji.server.tournaments.recurring import Recurring

log = logging.getLogger("taiji.server")

TICK_S = 5.0
MAX_LATE_MS = 3_600_000
"""A tournament that could not start for longer, because no server was up, is cancelled: nobody waits."""


class TournamentSchedule:
    """Looks regularly at what is to be announced and started."""

    def __init__(
        self, store: Store, rooms: RoomManager, manager: TournamentManager, time: TimeSource
    ) -> None:
        self._store = store
        self._rooms = rooms
        self._manager = manager
        self._time = time

    async def run(self) -> None:
        """Look every few seconds."""
        while True:
            await self.look()
            await self._time.sleep(TICK_S)

    async def look(self) -> None:
        """Announce what is missing, and start or cancel what is due."""
        now = self._time.now()
        for recurring in await self._store.read(partial(list_recurring, only_enabled=True)):
            if self._is_mine(recurring.id):
                await self._announce(recurring, now)
        for tournament_id in await self._manager.store.due(now):
            if self._is_mine(tournament_id):
                await self._start(tournament_id)

    def _is_mine(self, identity: str) -> bool:
        return self._rooms.ownership.term(identity) is not None

    async def _announce(self, recurring: Recurring, now: int) -> None:
        known = await self._store.read(partial(known_starts, recurring_id=recurring.id))
        for starts_at in recurring.occurrences(now):
            if starts_at in known:
                continue
            try:
                await self._manager.create_for("", recurring.request(starts_at), recurring.id)
            except IntegrityError:
                log.info("recurring tournament %s is announced already", recurring.id)
            except (ApiError, ValueError):
                # A game whose file is gone, for example: the others go on.
                log.exception("recurring tournament %s cannot be announced", recurring.id)
                return

    async def _start(self, tournament_id: str) -> None:
        """Start one tournament; one that cannot be read or written now must not keep the others waiting."""
        try:
            await self._start_or_cancel(await self._manager.loaded.get(tournament_id))
        except (ApiError, ValueError, KeyError, AssertionError):
            log.exception("tournament %s could not be started, next attempt in %d s", tournament_id, TICK_S)

    async def _start_or_cancel(self, hosted: HostedTournament) -> None:
        assert hosted.starts_at is not None
        present = sum(not entrant.withdrawn for entrant in hosted.state.entrants)
        if present < hosted.min_players:
            await self._manager.cancel(hosted, "too-few")
        elif self._time.now() - hosted.starts_at > MAX_LATE_MS:
            await self._manager.cancel(hosted, "missed")
        else:
            try:
                await self._manager.begin(hosted)
            except ApiError as error:
                if error.code != "tournament":
                    raise
                log.warning("tournament %s cannot start: %s", hosted.id, error.message)
                await self._manager.cancel(hosted, "too-few")
