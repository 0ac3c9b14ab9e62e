"""The deletion of a user: leave games and tournaments, then erase what is stored."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from taiji.server.contract.errors import ApiError
from taiji.server.live.orders import Cancel, Resign
from taiji.server.store import queries
from taiji.server.store.erasure import erase_user

if TYPE_CHECKING:
    from taiji.server.identity.users import User
    from taiji.server.live.room import Room
    from taiji.server.live.rooms import RoomManager
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource
    from taiji.server.tournaments.manager import TournamentManager
    from taiji.server.tournaments.ratings import Ratings

MAX_OPEN_TABLES = 10_000


class Erasure:
    """Deletes users."""

    def __init__(
        self,
        store: Store,
        rooms: RoomManager,
        tournaments: TournamentManager,
        ratings: Ratings,
        time: TimeSource,
    ) -> None:
        self._store = store
        self._rooms = rooms
        self._tournaments = tournaments
        self._ratings = ratings
        self._time = time

    async def erase(self, user: User) -> None:
        """Leave every game and tournament of a user, and erase the user."""
        await self._tournaments.leave_all(user)
        for status in ("waiting", "playing"):
            rows = await self._store.read(
                partial(queries.list_tables, status=status, ids=user.ids, limit=MAX_OPEN_TABLES)
            )
            for row in rows:
                await self._leave(await self._rooms.get(row["id"]), user)
        await self._ratings.settle()
        account_id = user.account.id if user.account else None
        now = self._time.now()
        await self._rooms.rewrite(user.ids, partial(erase_user, ids=user.ids, account_id=account_id, now=now))
        await self._tournaments.loaded.reload(user.ids)

    async def _leave(self, room: Room, user: User) -> None:
        """Resign, or abort a game that has hardly begun; decline a challenge."""
        seat = room.table.find_seat(user.ids)
        try:
            if seat is None or room.table.status == "waiting":
                await self._rooms.perform(room, Cancel())
            else:
                await self._rooms.perform(room, Resign(seat))
        except ApiError as error:
            if error.code != "over":
                raise
