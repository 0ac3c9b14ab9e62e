"""The table service: creating tables and taking seats."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from taiji.rules import Seat, match_rule
from taiji.server.contract.errors import ApiError
from taiji.server.domain.game_definition import find_edition, playable_game
from taiji.server.domain.table import SEATS, SeatedPlayer, TableSettings
from taiji.server.identity.credentials import new_secret
from taiji.server.live.orders import Cancel, Decline, Join
from taiji.server.live.seat_links import seat_link_row
from taiji.server.store import queries
from taiji.server.store.identities import player_ids

if TYPE_CHECKING:
    from taiji.server.contract.requests import NewTable
    from taiji.server.domain.table import Table
    from taiji.server.identity.blocks import Blocks
    from taiji.server.identity.users import User, Users
    from taiji.server.live.room import Room
    from taiji.server.live.rooms import RoomManager, Work
    from taiji.server.live.seat_links import SeatLinks
    from taiji.server.time_source import TimeSource

DEFAULT_LEVEL = 3
COMPUTER = "computer"

GetRating = Callable[[str, str], Awaitable[int]]
"""Returns an account's current rating at a game."""


class TableService:
    """Creates tables and seats users."""

    def __init__(
        self,
        rooms: RoomManager,
        users: Users,
        time: TimeSource,
        *,
        links: SeatLinks,
        blocks: Blocks,
        get_rating: GetRating,
        has_computer: Callable[[], bool],
    ) -> None:
        self._rooms = rooms
        self._users = users
        self._time = time
        self._links = links
        self._blocks = blocks
        self._get_rating = get_rating
        self._has_computer = has_computer
        self._rng = random.SystemRandom()

    async def create_table(
        self, user: User, request: NewTable, extra_write: Callable[[Table], Work] | None = None
    ) -> Room:
        """Create a table; `extra_write` returns what is written in the same transaction."""
        game = await asyncio.to_thread(
            playable_game, request.game, by_computer=request.opponent == "computer"
        )
        if request.opponent == "computer" and not self._has_computer():
            raise ApiError("unavailable", "the computer does not play on this server")
        if request.rated:
            _require_account(user)
        if request.opponent in ("open", "player"):
            user.refuse_muted()
        settings = TableSettings(
            game=str(game),
            edition=find_edition(request.game),
            match_rule=match_rule(request.game),
            opponent=request.opponent,
            clock=request.clock,
            takebacks=request.takebacks and not request.rated,
            rated=request.rated,
            creator=user.id,
            challenged=await self._find_challenged(user, request.player),
        )
        seat = self._choose_seat(request.colour)
        players = {seat: await self._seated_player(user, settings)}
        if request.opponent == "computer":
            players[seat.other] = SeatedPlayer(COMPUTER, None, "computer", request.level or DEFAULT_LEVEL)
        match = request.match if request.match is not None else request.opponent != "computer"
        link = None
        if request.opponent == "link":
            link = seat_link_row(new_secret(), seat.other, "join", user.id, self._time.now())
        return await self._rooms.create_table(settings, players, match, link, extra_write)

    async def _seated_player(self, user: User, settings: TableSettings) -> SeatedPlayer:
        """Return the user as a player, with their rating if the game is rated."""
        rating = await self._get_rating(user.id, settings.game) if settings.rated else None
        return replace(user.seated_player(), rating=rating)

    def _choose_seat(self, colour: str) -> Seat:
        if colour == "random":
            return self._rng.choice(list(Seat))
        return Seat.FIRST if colour == "light" else Seat.SECOND

    async def _find_challenged(self, user: User, name: str | None) -> str | None:
        if name is None:
            return None
        account = await self._users.find_account(name)
        if account is None:
            raise ApiError("not-found", f"no player is called {name!r}")
        if account.id in user.ids:
            raise ApiError("own-table")
        # A challenge of a blocked player is a table that nobody is asked to join; the challenger sees no
        # difference to one that is not answered.
        return None if await self._blocks.is_blocked(user, by=account.id) else account.id

    async def join_by_secret(self, user: User, secret: str) -> Room:
        """Take the seat that a link opens: the free one, or the user's own on another device."""
        link = await self._links.find(secret)
        room = await self._rooms.get(link["table_id"])
        # Also after the seat is taken: the response to the first request may have been lost.
        if room.table.find_seat(user.ids) is not None:
            return room
        self._links.require_valid(link)
        if link["link_type"] == "seat":
            await self._links.use(user, room, link)
            return room
        return await self._take_seat(room, SEATS[link["seat"]], user)

    async def join_open(self, user: User, room: Room) -> Room:
        """Take the free seat of an open challenge, or of a challenge to this user."""
        table = room.table
        if table.find_seat(user.ids) is not None:
            raise ApiError("own-table")
        if not table.is_offered_to(user.ids):
            raise ApiError("not-your-table", "this table can be joined only by its link")
        # Lists do not show the table to those whom its creator has blocked, or who have blocked the creator.
        is_apart = table.settings.creator in await self._blocks.kept_apart(user)
        if table.settings.opponent == "open" and is_apart:
            raise ApiError("taken")
        seat = next((seat for seat in Seat if table.seats[seat] is None), None)
        if seat is None:
            raise ApiError("taken")
        return await self._take_seat(room, seat, user)

    async def _take_seat(self, room: Room, seat: Seat, user: User) -> Room:
        if room.table.settings.rated:
            _require_account(user)
        player = await self._seated_player(user, room.table.settings)
        await self._rooms.perform(room, Join(seat, player))
        return room

    async def decline(self, user: User, room: Room) -> int:
        """Decline a challenge; return the table's version."""
        if room.table.settings.challenged not in user.ids:
            raise ApiError("not-your-table")
        if room.table.status != "waiting":
            raise ApiError("too-late")
        return await self._rooms.perform(room, Decline())

    async def end_challenges(self, user: User, other_id: str) -> None:
        """Decline the challenges of a player to a user, and withdraw those of the user to the player."""
        theirs = await self._rooms.store.read(partial(player_ids, user_id=other_id))
        waiting = await self._rooms.store.read(partial(queries.list_tables, status="waiting", ids=user.ids))
        for row in waiting:
            order: Decline | Cancel | None = None
            if row["challenged_id"] in user.ids and row["creator_id"] in theirs:
                order = Decline()
            elif row["challenged_id"] in theirs and row["creator_id"] in user.ids:
                order = Cancel()
            if order is not None:
                with suppress(ApiError):  # it was answered in the meantime
                    await self._rooms.perform(await self._rooms.get(row["id"]), order)


def _require_account(user: User) -> None:
    """Raise `ApiError` unless the user has an account, which rated games need."""
    if user.account is None:
        raise ApiError("no-account", "rated games need an account: sign in first")
