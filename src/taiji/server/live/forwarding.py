"""Orders find the owner of their table: this server, or another that is asked until it has answered."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from sqlalchemy import update
from sqlalchemy.exc import SQLAlchemyError

from taiji.rules import IllegalReason
from taiji.server.cluster.bus import Unreachable
from taiji.server.contract.errors import ApiError, ErrorBody
from taiji.server.identity.credentials import new_id
from taiji.server.live.orders import ORDERS, Act, Join, Order, execute
from taiji.server.store.schema import seat_links
from taiji.server.store.writer import StoreError

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from taiji.server.live.room import Room
    from taiji.server.live.rooms import RoomManager

PATIENCE_S = 6.0
"""How long an order looks for its owner: longer than a takeover takes."""
RETRY_S = 0.05
MAX_WAY_MS = 10_000
"""The time from the server that received an order to the owner that is not charged."""


class Forwarding:
    """Executes orders where their table is owned."""

    def __init__(self, rooms: RoomManager) -> None:
        self._rooms = rooms
        rooms.peers.answer("order", self._answer)

    async def perform(self, room: Room, order: Order, request_id: str | None) -> int:
        """Execute an order and return the version on disk; an id that was executed is not executed again."""
        rooms, table_id, received_at = self._rooms, room.table.id, self._rooms.time.now()
        if rooms.peers.is_alone:
            if not rooms.is_owned(room):  # a busy machine kept this server from renewing its lease
                await rooms.ownership.wait_until_owner()
                room = await rooms.replicas.adopt(table_id)
            return await self._execute(room, order, request_id, received_at)
        loop = asyncio.get_running_loop()
        end = loop.time() + PATIENCE_S
        request_id = request_id or f"s:{new_id()}"  # so that asking twice does not execute twice
        while True:
            try:
                if rooms.ownership.term(table_id) is not None:
                    own = await rooms.replicas.adopt(table_id)
                    return await self._execute(own, order, request_id, received_at)
                version = await self._ask(table_id, order, request_id, received_at)
                if version is not None:
                    await rooms.replicas.reach(table_id, version)
                    return version
            except (SQLAlchemyError, StoreError):
                if loop.time() > end:
                    raise
            if loop.time() > end:
                raise ApiError("unavailable", "the server of this table does not answer: try again")
            await asyncio.sleep(RETRY_S)

    async def _execute(self, room: Room, order: Order, request_id: str | None, received_at: int) -> int:
        table = room.table
        if isinstance(order, Act):  # a player does not pay for the way between two servers
            way_ms = min(MAX_WAY_MS, max(0, self._rooms.time.now() - received_at))
            order = replace(order, lag=order.lag + way_ms)
        if request_id is not None and request_id in table.handled_requests:
            await room.wait_persisted()
            if room.is_closed:
                raise ApiError("unavailable")
        else:
            extra = partial(_close_join_link, table_id=table.id) if isinstance(order, Join) else None
            await self._rooms.execute_and_wait(room, partial(execute, order), request_id, extra)
        return table.version if request_id is None else table.handled_requests.get(request_id, table.version)

    async def _ask(self, table_id: str, order: Order, request_id: str, received_at: int) -> int | None:
        """Ask the owner; return None if it is not the owner any more, or does not answer."""
        owner = self._rooms.ownership.owner(table_id)
        if owner is None or owner == self._rooms.ownership.token:
            return None
        content = {
            "table": table_id,
            "order": ORDERS.dump_python(order, mode="json"),
            "id": request_id,
            "at": received_at,
        }
        try:
            answer = await self._rooms.peers.ask(owner, "order", content)
        except Unreachable:
            return None
        if "error" in answer:
            raise _read_error(answer["error"])
        version: int | None = answer.get("version")
        return version

    async def _answer(self, content: dict[str, Any]) -> dict[str, Any]:
        rooms = self._rooms
        try:
            order = ORDERS.validate_python(content["order"])
            if rooms.ownership.term(content["table"]) is None:
                return {"moved": True}
            room = await rooms.replicas.adopt(content["table"])
            return {"version": await self._execute(room, order, content["id"], content["at"])}
        except ValidationError:
            return {"error": ApiError("bad-request").body().model_dump()}
        except ApiError as error:
            return {"error": error.body().model_dump()}
        except (SQLAlchemyError, StoreError):
            return {"moved": True}


def _read_error(body: dict[str, Any]) -> ApiError:
    error = ErrorBody.model_validate(body)
    reason = error.reason and IllegalReason(error.reason.code, error.reason.cells, error.reason.kind)
    return ApiError(error.code, error.message, reason=reason or None, fields=error.fields)


def _close_join_link(connection: Connection, table_id: str) -> None:
    """Forget the secret of a link that has been used."""
    links = (seat_links.c.table_id == table_id, seat_links.c.link_type == "join")
    connection.execute(update(seat_links).where(*links).values(secret=None))
