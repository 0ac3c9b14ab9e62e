"""Pairing: one tap joins whoever waits with the same settings, or waits for the next who taps.

Two may tap at once, at two servers. Only one can take a free seat, because the owner of the table decides.
Only one can create the table to wait at: it replaces the last one made for these settings, which it must have
read before it looked for others, in the transaction that writes its table. The other looks again, and joins.
Two of whom one has blocked the other do not see each other's tables: each waits as if nobody else did.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from taiji.server.contract.errors import ApiError
from taiji.server.contract.requests import NewTable
from taiji.server.domain.game_definition import playable_game
from taiji.server.live.listings import open_challenges
from taiji.server.live.orders import Cancel
from taiji.server.store.schema_people import pair_requests, pairing_slots

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from sqlalchemy import Connection

    from taiji.server.contract.people import PairRequest
    from taiji.server.domain.table import Table
    from taiji.server.identity.blocks import Blocks
    from taiji.server.identity.users import User
    from taiji.server.live.listings import Listings
    from taiji.server.live.room import Room
    from taiji.server.live.rooms import RoomManager
    from taiji.server.live.table_service import TableService
    from taiji.server.store.queries import Row
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

    Work = Callable[[Connection], None]

ARRIVAL_MS = 10_000
"""How long a new table waits for its creator to connect before nobody joins it."""
REQUEST_TTL_MS = 86_400_000
MAX_TRIES = 20
LOST = frozenset(("taken", "over", "own-table", "not-found", "not-your-table"))
"""Errors of joining a table that somebody else was quicker to join, or that was given up."""


class SlotTaken(Exception):
    """Somebody else has made a table for the same settings since the slot was read."""


class Pairing:
    """Pairs users who want the same game."""

    def __init__(
        self,
        store: Store,
        rooms: RoomManager,
        listings: Listings,
        service: TableService,
        time: TimeSource,
        *,
        blocks: Blocks,
    ) -> None:
        self._store = store
        self._rooms = rooms
        self._listings = listings
        self._service = service
        self._time = time
        self._blocks = blocks

    async def pair(self, user: User, request: PairRequest) -> Room:
        """Return a table with these settings: one that was waiting, or a new one that waits."""
        game = str(await asyncio.to_thread(playable_game, request.game))
        clock = None if request.clock is None else request.clock.model_dump()
        key = settings_key(game, clock, request.rated)
        earlier = await self._find_earlier(user, request.id)
        if earlier is not None:
            return earlier
        apart = await self._blocks.kept_apart(user)
        for _ in range(MAX_TRIES):
            before = await self._store.read(partial(_read_slot, key=key))
            rows = await self._store.read(open_challenges)
            rows = [row for row in reversed(rows) if _fits(row, game, clock, request.rated)]
            rows = [row for row in rows if row["creator_id"] not in apart]
            joined = await self._join_one(user, request.id, rows)
            if joined is not None:
                await self._give_up(user, joined)
                return joined
            own = next((row for row in rows if row["creator_id"] in user.ids), None)
            if own is not None:
                await self._store.write(
                    partial(_note, user=user, request_id=request.id, row=own, at=self._now)
                )
                return await self._rooms.get(own["id"])
            try:
                room = await self._create(user, request, game, key, before)
            except (SlotTaken, IntegrityError):
                continue
            await self._give_up(user, room)
            return room
        raise ApiError("unavailable", "too many want the same game at this moment: try again")

    @property
    def _now(self) -> int:
        return self._time.now()

    async def _find_earlier(self, user: User, request_id: str) -> Room | None:
        """Return the table that the same request has led to."""
        table_id = await self._store.read(partial(_read_request, ids=user.ids, request_id=request_id))
        if table_id is None:
            return None
        try:
            room = await self._rooms.get(table_id)
        except ApiError:
            return None
        return room if room.table.find_seat(user.ids) is not None else None

    async def _join_one(self, user: User, request_id: str, rows: list[Row]) -> Room | None:
        """Join the first of these tables whose creator is there."""
        for row in rows:
            others = row["creator_id"] not in user.ids
            if not others or not self._listings.is_open(row, ARRIVAL_MS):
                continue
            # First, so that the same request finds the table again if its answer is lost.
            await self._store.write(partial(_note, user=user, request_id=request_id, row=row, at=self._now))
            try:
                return await self._service.join_open(user, await self._rooms.get(row["id"]))
            except ApiError as error:
                if error.code not in LOST:
                    raise
        return None

    async def _create(
        self, user: User, request: PairRequest, game: str, key: str, before: str | None
    ) -> Room:
        new = NewTable(
            game=game, opponent="open", clock=request.clock, match=False, takebacks=False, rated=request.rated
        )
        now = self._now

        def claim(table: Table) -> Work:
            slot = {"table_id": table.id, "user_id": user.id, "at": now}

            def write(connection: Connection) -> None:
                _replace_slot(connection, key, before, slot)
                _note(connection, user, request.id, {"id": table.id}, now)

            return write

        return await self._service.create_table(user, new, claim)

    async def _give_up(self, user: User, chosen: Room) -> None:
        """Cancel the other tables at which a user waits for a pairing: nobody plays two at once."""
        for table_id in await self._store.read(partial(_slots_of, ids=user.ids)):
            if table_id == chosen.table.id:
                continue
            try:
                room = await self._rooms.get(table_id)
                if room.table.status == "waiting":
                    await self._rooms.perform(room, Cancel())
            except ApiError:
                continue

    async def purge(self) -> None:
        """Forget old requests, and the settings that nobody has asked for since."""
        await self._store.write(partial(_purge, before=self._now - REQUEST_TTL_MS))


def settings_key(game: str, clock: dict[str, Any] | None, rated: bool) -> str:
    """Return a key that is the same for the same settings."""
    text = json.dumps([game, clock, rated], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _fits(row: Row, game: str, clock: dict[str, Any] | None, rated: bool) -> bool:
    wanted = (game, clock, rated, None)
    return (row["game"], row["clock_rule"], row["rated"], row["match_id"]) == wanted


def _read_slot(connection: Connection, key: str) -> str | None:
    query = select(pairing_slots.c.table_id).where(pairing_slots.c.settings_key == key)
    return connection.execute(query).scalar()


def _replace_slot(connection: Connection, key: str, before: str | None, slot: dict[str, Any]) -> None:
    """Put a table into the slot, if it still holds the one that was read."""
    if before is None:
        connection.execute(insert(pairing_slots), [{"settings_key": key, **slot}])
        return
    same = (pairing_slots.c.settings_key == key, pairing_slots.c.table_id == before)
    if not connection.execute(update(pairing_slots).where(*same).values(slot)).rowcount:
        raise SlotTaken


def _slots_of(connection: Connection, ids: Collection[str]) -> list[str]:
    query = select(pairing_slots.c.table_id).where(pairing_slots.c.user_id.in_(sorted(ids)))
    return list(connection.execute(query).scalars())


def _purge(connection: Connection, before: int) -> None:
    for table in (pair_requests, pairing_slots):
        connection.execute(delete(table).where(table.c.at < before))


def _read_request(connection: Connection, ids: Collection[str], request_id: str) -> str | None:
    mine = (pair_requests.c.user_id.in_(sorted(ids)), pair_requests.c.request_id == request_id)
    return connection.execute(select(pair_requests.c.table_id).where(*mine)).scalar()


def _note(connection: Connection, user: User, request_id: str, row: Row, at: int) -> None:
    """Note what a request leads to."""
    mine = (pair_requests.c.user_id == user.id, pair_requests.c.request_id == request_id)
    values = {"table_id": row["id"], "at": at}
    if not connection.execute(update(pair_requests).where(*mine).values(values)).rowcount:
        connection.execute(insert(pair_requests), [{"user_id": user.id, "request_id": request_id, **values}])
