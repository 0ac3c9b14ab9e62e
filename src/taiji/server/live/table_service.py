"""Making tables and sitting down at them."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete

from taiji.rules import GameError, Seat, match_rule, parse_game
from taiji.server.contract import messages as wire
from taiji.server.contract.errors import ApiError
from taiji.server.domain import commands as decisions
from taiji.server.domain.game_definition import find_edition
from taiji.server.domain.table import SEATS, SeatedPlayer, TableSettings, seat_name
from taiji.server.identity.credentials import hash_secret, new_secret
from taiji.server.store import queries
from taiji.server.store.schema import seat_links

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from taiji.server.identity.users import User
    from taiji.server.live.room import Room
    from taiji.server.web.context import AppContext

DEFAULT_LEVEL = 3
COMPUTER = "computer"


class TableService:
    """Lays tables and leads people to their seats."""

    def __init__(self, hall: AppContext) -> None:
        self._hall = hall
        self._dice = random.SystemRandom()

    async def create_table(self, person: User, wish: wire.NewTable) -> Room:
        """Lay a table as somebody wishes."""
        try:
            game = parse_game(wish.game)
            game.layouts  # noqa: B018 - a game that cannot be laid out is refused here
        except GameError as error:
            raise ApiError("bad-game", str(error)) from error
        if wish.opponent == "computer" and not self._hall.engines.max_workers:
            raise ApiError("unavailable", "the computer does not play on this server")
        if wish.rated:
            _require_account(person)
        terms = TableSettings(
            game=str(game),
            edition=find_edition(wish.game),
            match_rule=match_rule(wish.game),
            opponent=wish.opponent,
            clock=None if wish.clock is None else wish.clock.model_dump(),
            takebacks=wish.takebacks and not wish.rated,
            rated=wish.rated,
            creator=person.id,
            challenged=await self._find_challenged(person, wish.player),
        )
        seat = self._choose_seat(wish.colour)
        sitters = {seat: await self._seated_player(person, terms)}
        if wish.opponent == "computer":
            sitters[seat.other] = SeatedPlayer(COMPUTER, None, "computer", wish.level or DEFAULT_LEVEL)
        match = wish.match if wish.match is not None else wish.opponent != "computer"
        secret = seat_link_row(new_secret(), seat.other, "join") if wish.opponent == "link" else None
        return await self._hall.rooms.create_table(terms, sitters, match, secret)

    async def _seated_player(self, person: User, terms: TableSettings) -> SeatedPlayer:
        """Return how somebody sits down: at a rated game with their rating."""
        rating = await self._hall.ratings.get_rating(person.id, terms.game) if terms.rated else None
        return replace(person.seated_player(), rating=rating)

    def _choose_seat(self, colour: str) -> Seat:
        if colour == "random":
            return self._dice.choice(list(Seat))
        return Seat.FIRST if colour == "light" else Seat.SECOND

    async def _find_challenged(self, person: User, name: str | None) -> str | None:
        if name is None:
            return None
        account = await self._hall.users.find_account(name)
        if account is None:
            raise ApiError("not-found", f"there is no player called {name}")
        if account.id in person.ids:
            raise ApiError("own-table")
        return account.id

    async def join_by_secret(self, person: User, secret: str) -> Room:
        """Take the seat that a link opens: the free one, or one's own on another device."""
        found = await self._hall.store.read(
            partial(queries.find_seat_link, digest=hash_secret("link", secret))
        )
        if found is None:
            raise ApiError("not-found", "this link is not valid any more")
        room = await self._hall.rooms.get(found["table_id"])
        seat = SEATS[found["seat"]]
        here = room.table.find_seat(person.ids)
        if here is not None:
            return room
        if found["kind"] == "seat":
            await self._hall.rooms.execute_and_wait(
                room, lambda t, _: decisions.add_device(t, seat, person.id)
            )
            return room
        return await self._take_seat(room, seat, person)

    async def join_open(self, person: User, room: Room) -> Room:
        """Take the free seat of an open challenge, or of one made to this person."""
        table = room.table
        if table.find_seat(person.ids) is not None:
            raise ApiError("own-table")
        allowed = table.settings.opponent == "open" or table.settings.challenged in person.ids
        if not allowed:
            raise ApiError("not-your-table", "this table is joined by its link")
        seat = next((seat for seat in Seat if table.seats[seat] is None), None)
        if seat is None:
            raise ApiError("taken")
        return await self._take_seat(room, seat, person)

    async def _take_seat(self, room: Room, seat: Seat, person: User) -> Room:
        if room.table.settings.rated:
            _require_account(person)
        used = delete(seat_links).where(seat_links.c.table_id == room.table.id, seat_links.c.kind == "join")

        def forget_link(connection: Connection) -> None:
            connection.execute(used)

        sitter = await self._seated_player(person, room.table.settings)
        await self._hall.rooms.execute_and_wait(
            room, lambda t, now: decisions.join(t, seat, sitter, now), extra_write=forget_link
        )
        return room

    async def decline(self, person: User, room: Room) -> int:
        """Decline a challenge."""
        if room.table.settings.challenged not in person.ids:
            raise ApiError("not-your-table")
        if room.table.status != "waiting":
            raise ApiError("too-late")
        await self._hall.rooms.execute_and_wait(room, lambda t, now: decisions.abort(t, Seat.FIRST, now))
        return room.table.version

    async def seat_link(self, person: User, room: Room) -> str:
        """Make a link that opens one's own seat on another device."""
        seat = room.table.find_seat(person.ids)
        if seat is None:
            raise ApiError("not-your-table")
        secret = new_secret()
        row = {
            **seat_link_row(secret, seat, "seat"),
            "table_id": room.table.id,
            "created": self._hall.times.now(),
        }
        await self._hall.store.write(partial(queries.add_seat_link, row=row))
        return f"/join#{secret}"


def _require_account(person: User) -> None:
    """Refuse a rated game to somebody without an account: there is nobody to rate."""
    if person.account is None:
        raise ApiError("no-account", "a rated game needs an account: sign in first")


def seat_link_row(secret: str, seat: Seat, kind: str) -> dict[str, Any]:
    """Return what is kept of a link's secret; a join link, which works once, stays readable for its maker."""
    return {
        "hash": hash_secret("link", secret),
        "plain": secret if kind == "join" else None,
        "seat": seat_name(seat),
        "kind": kind,
    }
