"""Streams of lines for bots and scripts: what happens to me, and what happens at a table."""

import asyncio
from collections.abc import AsyncIterator

from fastapi import APIRouter
from starlette.responses import StreamingResponse

from taiji.rules import Seat
from taiji.server.contract.errors import ApiError
from taiji.server.identity.users import ANONYMOUS, User
from taiji.server.live.room import Room, dump
from taiji.server.web.context import AppContext
from taiji.server.web.routes.deps import Context, CurrentUser, error_responses
from taiji.server.web.routes.tables import TableId

router = APIRouter(prefix="/api", tags=["bots"])

KEEP_ALIVE_S = 6.0
MOST_WAITING = 500


class StreamMember:
    """A reader of a table's stream."""

    lag = 0

    def __init__(self, person: User, seat: Seat | None) -> None:
        self.ids = person.ids
        self.seat = seat
        self.queue: asyncio.Queue[str | None] = asyncio.Queue()

    def send(self, text: str) -> None:
        """Put a line into the stream; who does not read is cut off."""
        self.queue.put_nowait(text if self.queue.qsize() < MOST_WAITING else None)

    def close(self, code: int) -> None:
        """End the stream."""
        self.queue.put_nowait(None)


async def _lines(queue: asyncio.Queue[str | None]) -> AsyncIterator[str]:
    """Yield the lines of a queue, and an empty one now and then so that both ends know the other is there."""
    while True:
        try:
            line = await asyncio.wait_for(queue.get(), KEEP_ALIVE_S)
        except TimeoutError:
            yield "\n"
            continue
        if line is None:
            return
        yield line + "\n"


@router.get(
    "/tables/{table_id}/stream", response_class=StreamingResponse, responses=error_responses("not-found")
)
async def stream_table(table_id: TableId, hall: Context, person: CurrentUser) -> StreamingResponse:
    """Stream a table: its snapshot, then the frames of its socket, one a line."""
    room = await hall.rooms.get(table_id)
    await room.wait_persisted()
    return StreamingResponse(_table_lines(hall, room, person), media_type="application/x-ndjson")


async def _table_lines(hall: AppContext, room: Room, person: User) -> AsyncIterator[str]:
    member = StreamMember(person, room.table.find_seat(person.ids))
    member.send(dump({"type": "snapshot", "table": room.view(person.ids, hall.times.now())}))
    room.enter(member)
    try:
        async for line in _lines(member.queue):
            yield line
    finally:
        room.leave(member)


@router.get(
    "/stream/events", response_class=StreamingResponse, responses=error_responses("bad-token", "no-account")
)
async def stream_events(hall: Context, person: CurrentUser) -> StreamingResponse:
    """Stream what happens to me: challenges, tables that start (those under way first) and end."""
    if person is ANONYMOUS:
        raise ApiError("no-account")
    return StreamingResponse(_event_lines(hall, person), media_type="application/x-ndjson")


async def _event_lines(hall: AppContext, person: User) -> AsyncIterator[str]:
    with hall.bus.subscribe(person.ids) as notices:
        yield "\n"  # the answer begins at once, even where nothing has happened yet
        for line in [
            *await hall.lobby.my_tables(person.ids, "waiting"),
            *await hall.lobby.my_tables(person.ids, "playing"),
        ]:
            room = await hall.rooms.get(line["id"])
            challenged = room.table.settings.challenged in person.ids and room.table.status == "waiting"
            if challenged or room.table.status == "playing":
                kind = "challenge" if challenged else "table-start"
                yield dump(hall.table_notifier.notice(room, kind, person.ids)) + "\n"
        while True:
            try:
                notice = await asyncio.wait_for(notices.get(), KEEP_ALIVE_S)
            except TimeoutError:
                yield "\n"
                continue
            if notice is None:
                return
            yield dump(notice) + "\n"
