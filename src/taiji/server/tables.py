"""Making tables and sitting down at them."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete

from taiji.rules import GameError, Seat, match_rule, parse_game
from taiji.server import decisions, wire
from taiji.server.errors import Refused
from taiji.server.gamevalue import edition_of
from taiji.server.identities import digest, new_secret
from taiji.server.store import queries
from taiji.server.store.schema import secrets
from taiji.server.table import SEATS, Sitter, Terms, seat_name

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from taiji.server.hall import Hall
    from taiji.server.people import Person
    from taiji.server.room import Room

DEFAULT_LEVEL = 3
COMPUTER = "computer"


class Host:
    """Lays tables and leads people to their seats."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._dice = random.SystemRandom()

    async def lay(self, person: Person, wish: wire.NewTable) -> Room:
        """Lay a table as somebody wishes."""
        try:
            game = parse_game(wish.game)
            game.layouts  # noqa: B018 - a game that cannot be laid out is refused here
        except GameError as error:
            raise Refused("bad-game", str(error)) from error
        if wish.opponent == "computer" and not self._hall.engines.most:
            raise Refused("unavailable", "the computer does not play on this server")
        if wish.rated:
            _must_have_account(person)
        terms = Terms(
            game=str(game),
            edition=edition_of(wish.game),
            rule=match_rule(wish.game),
            opponent=wish.opponent,
            clock=None if wish.clock is None else wish.clock.model_dump(),
            takebacks=wish.takebacks and not wish.rated,
            rated=wish.rated,
            maker=person.id,
            challenged=await self._challenged(person, wish.player),
        )
        seat = self._seat(wish.colour)
        sitters = {seat: await self._sitter(person, terms)}
        if wish.opponent == "computer":
            sitters[seat.other] = Sitter(COMPUTER, None, "computer", wish.level or DEFAULT_LEVEL)
        match = wish.match if wish.match is not None else wish.opponent != "computer"
        secret = secret_row(new_secret(), seat.other, "join") if wish.opponent == "link" else None
        return await self._hall.rooms.open(terms, sitters, match, secret)

    async def _sitter(self, person: Person, terms: Terms) -> Sitter:
        """Return how somebody sits down: at a rated game with their rating."""
        rating = await self._hall.ratings.of(person.id, terms.game) if terms.rated else None
        return replace(person.sitter(), rating=rating)

    def _seat(self, colour: str) -> Seat:
        if colour == "random":
            return self._dice.choice(list(Seat))
        return Seat.FIRST if colour == "light" else Seat.SECOND

    async def _challenged(self, person: Person, name: str | None) -> str | None:
        if name is None:
            return None
        account = await self._hall.people.account_named(name)
        if account is None:
            raise Refused("not-found", f"there is no player called {name}")
        if account.id in person.ids:
            raise Refused("own-table")
        return account.id

    async def join_by_secret(self, person: Person, secret: str) -> Room:
        """Take the seat that a link opens: the free one, or one's own on another device."""
        found = await self._hall.store.read(partial(queries.find_secret, digest=digest("link", secret)))
        if found is None:
            raise Refused("not-found", "this link is not valid any more")
        room = await self._hall.rooms.get(found["table_id"])
        seat = SEATS[found["seat"]]
        here = room.table.seat_of(person.ids)
        if here is not None:
            return room
        if found["kind"] == "seat":
            await self._hall.rooms.do(room, lambda t, _: decisions.hold(t, seat, person.id))
            return room
        return await self._sit_down(room, seat, person)

    async def join_open(self, person: Person, room: Room) -> Room:
        """Take the free seat of an open challenge, or of one made to this person."""
        table = room.table
        if table.seat_of(person.ids) is not None:
            raise Refused("own-table")
        allowed = table.terms.opponent == "open" or table.terms.challenged in person.ids
        if not allowed:
            raise Refused("not-your-table", "this table is joined by its link")
        seat = next((seat for seat in Seat if table.seats[seat] is None), None)
        if seat is None:
            raise Refused("taken")
        return await self._sit_down(room, seat, person)

    async def _sit_down(self, room: Room, seat: Seat, person: Person) -> Room:
        if room.table.terms.rated:
            _must_have_account(person)
        used = delete(secrets).where(secrets.c.table_id == room.table.id, secrets.c.kind == "join")

        def forget_link(connection: Connection) -> None:
            connection.execute(used)

        sitter = await self._sitter(person, room.table.terms)
        await self._hall.rooms.do(room, lambda t, now: decisions.join(t, seat, sitter, now), also=forget_link)
        return room

    async def decline(self, person: Person, room: Room) -> int:
        """Decline a challenge."""
        if room.table.terms.challenged not in person.ids:
            raise Refused("not-your-table")
        if room.table.status != "waiting":
            raise Refused("too-late")
        await self._hall.rooms.do(room, lambda t, now: decisions.abort(t, Seat.FIRST, now))
        return room.table.version

    async def seat_link(self, person: Person, room: Room) -> str:
        """Make a link that opens one's own seat on another device."""
        seat = room.table.seat_of(person.ids)
        if seat is None:
            raise Refused("not-your-table")
        secret = new_secret()
        row = {
            **secret_row(secret, seat, "seat"),
            "table_id": room.table.id,
            "created": self._hall.times.now(),
        }
        await self._hall.store.write(partial(queries.add_secret, row=row))
        return f"/join#{secret}"


def _must_have_account(person: Person) -> None:
    """Refuse a rated game to somebody without an account: there is nobody to rate."""
    if person.account is None:
        raise Refused("no-account", "a rated game needs an account: sign in first")


def secret_row(secret: str, seat: Seat, kind: str) -> dict[str, Any]:
    """Return what is kept of a link's secret; a join link, which works once, stays readable for its maker."""
    return {
        "hash": digest("link", secret),
        "plain": secret if kind == "join" else None,
        "seat": seat_name(seat),
        "kind": kind,
    }
