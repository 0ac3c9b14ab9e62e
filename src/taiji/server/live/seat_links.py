"""Links that open a seat: the free one, or the player's on another device. They expire and can be revoked."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, insert, select, update

from taiji.server.contract.errors import ApiError
from taiji.server.contract.tables import SeatLinkInfo
from taiji.server.domain.table import SEATS, seat_name
from taiji.server.identity.credentials import hash_secret, new_id, new_secret
from taiji.server.live.orders import AddDevice, RemoveDevice
from taiji.server.store.schema import seat_links, tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

    from taiji.rules import Seat
    from taiji.server.domain.table import Table
    from taiji.server.identity.users import User
    from taiji.server.live.room import Room
    from taiji.server.live.rooms import RoomManager
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

DAY_MS = 86_400_000
LIFETIME_MS = {"seat": DAY_MS, "join": 30 * DAY_MS}
MAX_LISTED = 50
FORGET_MS = 30 * DAY_MS
"""How long an expired link is still shown."""

Row = dict[str, Any]


def seat_link_row(secret: str, seat: Seat, link_type: str, creator_id: str, now: int) -> Row:
    """Return what is stored of a link; only a join link keeps its secret, until the seat is taken."""
    return {
        "hash": hash_secret("link", secret),
        "id": new_id(),
        "secret": secret if link_type == "join" else None,
        "seat": seat_name(seat),
        "link_type": link_type,
        "created_at": now,
        "creator_id": creator_id,
        "expires_at": now + LIFETIME_MS[link_type],
    }


class SeatLinks:
    """The links of all tables."""

    def __init__(self, store: Store, rooms: RoomManager, time: TimeSource) -> None:
        self._store = store
        self._rooms = rooms
        self._time = time

    async def create(self, user: User, room: Room) -> str:
        """Create a link that opens the user's seat on another device; return its path."""
        seat = room.table.find_seat(user.ids)
        if seat is None:
            raise ApiError("not-your-table")
        secret = new_secret()
        row = seat_link_row(secret, seat, "seat", user.id, self._time.now())
        statement = insert(seat_links).values({**row, "table_id": room.table.id})
        await self._store.write(lambda connection: connection.execute(statement).rowcount)
        return f"/join#{secret}"

    async def find(self, secret: str) -> Row:
        """Return the link with a secret, also one that was used or has expired."""
        link = await self._store.read(partial(_find, wanted=seat_links.c.hash == hash_secret("link", secret)))
        if link is None:
            raise ApiError("not-found", "the link is not valid any more")
        return link

    def require_valid(self, link: Row) -> None:
        """Raise `ApiError` if a link has expired or was used; a used join link has no secret any more."""
        expired = link["expires_at"] is not None and link["expires_at"] <= self._time.now()
        used = link["secret"] is None if link["link_type"] == "join" else link["used_at"] is not None
        if expired or used:
            raise ApiError("not-found", "the link is not valid any more")

    async def use(self, user: User, room: Room, link: Row) -> None:
        """Give the seat also to this user; the link works once."""
        unused = (seat_links.c.hash == link["hash"], seat_links.c.used_at.is_(None))
        values = {"used_at": self._time.now(), "used_by": user.id}
        claim = update(seat_links).where(*unused).values(values)
        if not await self._store.write(lambda connection: connection.execute(claim).rowcount):
            raise ApiError("not-found", "the link is not valid any more")
        seat = SEATS[link["seat"]]
        await self._rooms.perform(room, AddDevice(seat, user.id))

    async def list_links(self, user: User) -> list[SeatLinkInfo]:
        """Return the links to the user's seats, the latest first."""
        query = (
            select(seat_links, tables.c.game)
            .join(tables, tables.c.id == seat_links.c.table_id)
            .where(seat_links.c.link_type == "seat", seat_links.c.creator_id.in_(sorted(user.ids)))
            .order_by(seat_links.c.created_at.desc())
            .limit(MAX_LISTED)
        )
        rows = await self._store.read(lambda connection: connection.execute(query).mappings().all())
        now = self._time.now()
        return [
            SeatLinkInfo(
                id=row["id"],
                table=row["table_id"],
                game=row["game"],
                created_at=row["created_at"],
                expires_at=row["expires_at"],
                expired=row["expires_at"] <= now,
                used_at=row["used_at"],
            )
            for row in rows
        ]

    async def revoke(self, user: User, link_id: str) -> None:
        """Revoke a link of the user; the device that used it loses the seat, also in later games."""
        own = (seat_links.c.id == link_id) & seat_links.c.creator_id.in_(sorted(user.ids))
        link = await self._store.write(partial(_take, wanted=own & (seat_links.c.link_type == "seat")))
        if link is None:
            raise ApiError("not-found")
        table_id: str | None = link["table_id"] if link["used_by"] else None
        while table_id is not None:
            room = await self._rooms.get(table_id)
            await self._rooms.perform(room, RemoveDevice(link["used_by"]))
            table_id = next(_followed(room.table), None)

    async def purge(self) -> None:
        """Delete the links that expired long ago."""
        old = delete(seat_links).where(
            seat_links.c.link_type == "seat", seat_links.c.expires_at <= self._time.now() - FORGET_MS
        )
        await self._store.write(lambda connection: connection.execute(old).rowcount)


def _find(connection: Connection, wanted: Any) -> Row | None:
    row = connection.execute(select(seat_links).where(wanted)).mappings().first()
    return dict(row) if row else None


def _take(connection: Connection, wanted: Any) -> Row | None:
    row = _find(connection, wanted)
    connection.execute(delete(seat_links).where(wanted))
    return row


def _followed(table: Table) -> Iterator[str]:
    """Yield the table that continues this one, if any: the second game of the match, or the rematch."""
    if table.match is not None and table.match.game_no == 1 and table.match.other is not None:
        yield table.match.other
    elif table.rematch is not None:
        yield table.rematch
