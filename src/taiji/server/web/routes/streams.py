"""Newline-delimited JSON streams for bots and scripts: an account's notices, and a table's frames."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial

from fastapi import APIRouter, Request
from starlette.responses import StreamingResponse

from taiji.rules import Seat
from taiji.server.contract.errors import ApiError
from taiji.server.contract.frames import SnapshotFrame
from taiji.server.identity.auth_limits import ClientAddress
from taiji.server.identity.users import ANONYMOUS, User
from taiji.server.identity.watch import SESSION_ENDED
from taiji.server.live.room import Room
from taiji.server.web.context import AppContext
from taiji.server.web.routes.deps import Context, CurrentUser, client_address, error_responses
from taiji.server.web.routes.tables import TableId

router = APIRouter(prefix="/api", tags=["bots"])

KEEP_ALIVE_S = 6.0
RETRY_S = 60
MAX_QUEUED_LINES = 500


class StreamSubscriber:
    """A reader of a table's stream."""

    lag = 0

    def __init__(self, user: User, seat: Seat | None) -> None:
        self.ids = user.ids
        self.seat = seat
        self.queue: asyncio.Queue[str | None] = asyncio.Queue()

    def send(self, text: str) -> None:
        """Queue a line; a reader that is too slow is disconnected."""
        self.queue.put_nowait(text if self.queue.qsize() < MAX_QUEUED_LINES else None)

    def close(self, code: int) -> None:
        """End the stream; at once if the session has ended."""
        while code == SESSION_ENDED and not self.queue.empty():
            self.queue.get_nowait()
        self.queue.put_nowait(None)


def _require_free(context: AppContext, user: User, client: ClientAddress) -> None:
    """Raise `ApiError` if a visitor or an address has too many sockets and streams."""
    if context.connections.is_full(user, client):
        raise ApiError("too-many-requests", "too many streams are open", retry_after_s=RETRY_S)


async def _counted(
    context: AppContext, user: User, client: ClientAddress, lines: AsyncIterator[str]
) -> AsyncIterator[str]:
    """Count a stream while it is open; one of many at once that passed the first check ends here."""
    if context.connections.is_full(user, client):
        return
    with context.connections.hold(user, client):
        async for line in lines:
            yield line


async def _lines(queue: asyncio.Queue[str | None]) -> AsyncIterator[str]:
    """Yield the lines of a queue, and an empty line as a keep-alive."""
    while True:
        try:
            async with asyncio.timeout(KEEP_ALIVE_S):
                line = await queue.get()
        except TimeoutError:
            yield "\n"
            continue
        if line is None:
            return
        yield line + "\n"


@router.get(
    "/tables/{table_id}/stream", response_class=StreamingResponse, responses=error_responses("not-found")
)
async def stream_table(
    request: Request, table_id: TableId, context: Context, user: CurrentUser
) -> StreamingResponse:
    """Stream a table: its snapshot, then the frames of its socket, one per line."""
    _require_free(context, user, client_address(request))
    room = await context.rooms.get(table_id)
    lines = _counted(context, user, client_address(request), _table_lines(context, room, user))
    return StreamingResponse(lines, media_type="application/x-ndjson")


async def _table_lines(context: AppContext, room: Room, user: User) -> AsyncIterator[str]:
    # Nothing may come between this and `enter`: an event in between would be in the snapshot and in a frame.
    await room.wait_persisted()
    if room.is_closed:  # the last event could not be written; the reader connects again
        return
    subscriber = StreamSubscriber(user, room.table.find_seat(user.ids))
    subscriber.send(SnapshotFrame(table=room.view(user.ids, context.time.now())).model_dump_json())
    room.enter(subscriber)
    try:
        with context.watch.hold(user.credential, partial(subscriber.close, SESSION_ENDED)):
            async for line in _lines(subscriber.queue):
                yield line
    finally:
        room.leave(subscriber)


@router.get(
    "/stream/events", response_class=StreamingResponse, responses=error_responses("bad-token", "no-account")
)
async def stream_events(request: Request, context: Context, user: CurrentUser) -> StreamingResponse:
    """Stream my notices: challenges, tables that start (first those in progress) and end."""
    if user is ANONYMOUS:
        raise ApiError("no-account")
    _require_free(context, user, client_address(request))
    lines = _counted(context, user, client_address(request), _event_lines(context, user))
    return StreamingResponse(lines, media_type="application/x-ndjson")


async def _event_lines(context: AppContext, user: User) -> AsyncIterator[str]:
    bus = context.bus
    with bus.subscribe(user.ids) as notices, context.watch.hold(user.credential, lambda: bus.end(notices)):
        yield "\n"  # the response starts at once, even without a notice
        waiting = await context.listings.my_tables(user.ids, "waiting")
        playing = await context.listings.my_tables(user.ids, "playing")
        for summary in [*waiting, *playing]:
            room = await context.rooms.get(summary.id)
            current = context.table_notifier.current_notice(room, user.ids)
            if current is not None:
                yield current.model_dump_json() + "\n"
        while True:
            try:
                async with asyncio.timeout(KEEP_ALIVE_S):
                    notice = await notices.get()
            except TimeoutError:
                yield "\n"
                continue
            if notice is None:
                return
            yield notice.model_dump_json() + "\n"
