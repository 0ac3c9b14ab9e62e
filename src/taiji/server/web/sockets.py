"""Connections to tables and to the lobby, bounded in what they send and in what waits for them."""

from __future__ import annotations

import asyncio
import json
import random
from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from taiji.server.contract import messages as wire
from taiji.server.contract.errors import ApiError
from taiji.server.identity import limits
from taiji.server.identity.origins import is_same_origin
from taiji.server.identity.users import ANONYMOUS, User
from taiji.server.live import actions
from taiji.server.live.room import dump

if TYPE_CHECKING:
    from taiji.rules import Seat
    from taiji.server.live.room import Room
    from taiji.server.web.context import AppContext

MAX_QUEUED_MESSAGES = 200
"""A connection that lets more messages wait than this is closed: it comes back for a snapshot."""
PING_INTERVAL_MS = 15_000
PING_TICK_S = 0.25
"""Pings are spread: thousands at once would make everybody's moves wait."""
MAX_LAG_SAMPLES = 4

FOREIGN_ORIGIN, NOT_FOUND, BAD_FRAMES, TOO_MANY, TOO_SLOW = 4403, 4404, 4400, 4429, 1013


class Connection:
    """One socket: an outbox that a task empties, and the lag that pings measure."""

    __slots__ = ("_closing", "_lags", "_outbox", "_sending", "_sent", "_socket", "ids", "next_ping", "seat")

    def __init__(self, socket: WebSocket, person: User) -> None:
        self.ids = person.ids
        self.seat: Seat | None = None
        self.next_ping = 0
        self._socket = socket
        self._outbox: deque[str] = deque()
        self._sending: asyncio.Task[None] | None = None
        self._closing: int | None = None
        self._sent: tuple[int, int] = (0, 0)
        self._lags: deque[int] = deque(maxlen=MAX_LAG_SAMPLES)

    @property
    def lag(self) -> int:
        """The least lag that pings have shown lately; one delayed answer changes little."""
        return min(self._lags, default=0)

    def send(self, text: str) -> None:
        """Put a message into the outbox."""
        if self._closing is not None:
            return
        if len(self._outbox) >= MAX_QUEUED_MESSAGES:
            self.close(TOO_SLOW)
            return
        self._outbox.append(text)
        self._flush()

    def close(self, code: int) -> None:
        """End the connection after what waits is sent; one that is too slow ends at once."""
        if self._closing is None:
            self._closing = code
            if code == TOO_SLOW:
                self._outbox.clear()
            self._flush()

    def _flush(self) -> None:
        if self._sending is None:
            self._sending = asyncio.create_task(self._drain())

    async def _drain(self) -> None:
        try:
            while self._outbox:
                await self._socket.send_text(self._outbox.popleft())
            if self._closing is not None and self._socket.application_state is WebSocketState.CONNECTED:
                await self._socket.close(self._closing)
        except (RuntimeError, WebSocketDisconnect, OSError):
            self._outbox.clear()  # it has gone; the receiving side notices
        finally:
            self._sending = None

    async def finish(self) -> None:
        """Wait until what was to be sent is sent."""
        if self._sending is not None:
            await asyncio.wait({self._sending}, timeout=1)

    def ping(self, now: int) -> None:
        """Ask for a sign of life, to measure the lag."""
        number = self._sent[0] + 1
        self._sent = (number, now)
        self.next_ping = now + PING_INTERVAL_MS
        self.send(dump({"type": "ping", "n": number}))

    def pong(self, number: int, now: int) -> None:
        """Measure the lag by the answer to the last ping."""
        if number == self._sent[0]:
            self._lags.append(now - self._sent[1])


class Sockets:
    """All connections of the server."""

    def __init__(self, hall: AppContext) -> None:
        self._hall = hall
        self._open: dict[str, int] = {}
        self._players: set[Connection] = set()
        self.count = 0

    async def run_ping_loop(self) -> None:
        """Ping the players whose clocks matter, each every quarter of a minute."""
        while True:
            now = self._hall.times.now()
            for connection in tuple(self._players):
                if connection.next_ping <= now:
                    connection.ping(now)
            await self._hall.times.sleep(PING_TICK_S)

    async def _accept(self, socket: WebSocket) -> User | None:
        """Accept a socket and say who it is, or close it with the reason."""
        hall = self._hall
        await socket.accept()
        if not is_same_origin(socket.headers, hall.settings):
            hall.rate_limiter.count("foreign-origin")
            await socket.close(FOREIGN_ORIGIN)
            return None
        try:
            person = await hall.authenticator.authenticate(socket)
        except ApiError as refused:
            hall.rate_limiter.count(refused.code)
            await socket.close(FOREIGN_ORIGIN)
            return None
        if self._open.get(person.id, 0) >= limits.SOCKETS_PER_VISITOR and person is not ANONYMOUS:
            hall.rate_limiter.count("too-many-sockets")
            await socket.close(TOO_MANY)
            return None
        return person

    async def table(self, socket: WebSocket, table_id: str, after: int) -> None:
        """Serve a connection to a table until it ends."""
        person = await self._accept(socket)
        if person is None:
            return
        try:
            room = await self._hall.rooms.get(table_id)
        except ApiError:
            await socket.close(NOT_FOUND)
            return
        connection = Connection(socket, person)
        await room.wait_persisted()
        self._greet(room, connection, after)
        self._count(person, 1)
        try:
            await self._receive(socket, connection, room)
        finally:
            room.leave(connection)
            self._players.discard(connection)
            self._count(person, -1)
            await connection.finish()

    def _count(self, person: User, change: int) -> None:
        self.count += change
        left = self._open.get(person.id, 0) + change
        if left > 0:
            self._open[person.id] = left
        else:
            self._open.pop(person.id, None)

    def _greet(self, room: Room, connection: Connection, after: int) -> None:
        now = self._hall.times.now()
        connection.seat = room.table.find_seat(connection.ids)
        events = room.events_since(after)
        if events is None:
            invite = self._hall.invite_for(room, connection.ids)
            connection.send(dump({"type": "snapshot", "table": room.view(connection.ids, now, invite)}))
        else:
            for event in events:
                connection.send(dump(event.to_wire(now if event is events[-1] else None)))
        room.enter(connection)
        if connection.seat is not None and room.table.clock is not None:
            connection.next_ping = now + int(random.random() * PING_INTERVAL_MS) if self._players else now
            self._players.add(connection)

    async def _receive(self, socket: WebSocket, connection: Connection, room: Room) -> None:
        window = limits.SlidingWindow(*limits.FRAME_LIMIT)
        bad = 0
        while True:
            message = await socket.receive()
            if message["type"] != "websocket.receive":
                return
            if not window.acquire(self._hall.times.now()):
                self._hall.rate_limiter.count("too-many-messages")
                connection.close(TOO_MANY)
                return
            if not await self._handle(connection, room, message.get("text")):
                bad += 1
                if bad >= limits.MAX_BAD_FRAMES:
                    connection.close(BAD_FRAMES)
                    return

    async def _handle(self, connection: Connection, room: Room, text: str | None) -> bool:
        """Do what a frame asks; tell whether it was a message at all."""
        frame, refused, identity = read_frame(text)
        if frame is None:
            assert refused is not None
            self._refuse(connection, refused, identity)
            return False
        if isinstance(frame, wire.PongFrame):
            connection.pong(frame.n, self._hall.times.now())
            return True
        try:
            version = await actions.perform(self._hall.rooms, room, connection.ids, frame, connection.lag)
        except ApiError as error:
            self._refuse(connection, error, frame.id)
        else:
            connection.send(dump({"type": "ack", "id": frame.id, "version": version}))
        return True

    def _refuse(self, connection: Connection, refused: ApiError, identity: str | None) -> None:
        self._hall.rate_limiter.count(refused.code)
        connection.send(dump({"type": "error", "id": identity, "error": refused.to_wire()}))

    async def lobby(self, socket: WebSocket) -> None:
        """Serve a connection to the lobby until it ends."""
        lobby = self._hall.lobby
        await self._feed(socket, lobby.enter, lobby.leave)

    async def tournament(self, socket: WebSocket, contest_id: str) -> None:
        """Serve a connection to a tournament until it ends."""
        live = self._hall.tournament_feed
        await self._feed(socket, partial(live.enter, contest_id), live.leave)

    async def _feed(
        self,
        socket: WebSocket,
        enter: Callable[[Connection, User], Awaitable[None]],
        leave: Callable[[Connection], None],
    ) -> None:
        """Serve a connection that only listens."""
        person = await self._accept(socket)
        if person is None:
            return
        connection = Connection(socket, person)
        self._count(person, 1)
        window = limits.SlidingWindow(*limits.FRAME_LIMIT)
        try:
            await enter(connection, person)
            while (await socket.receive())["type"] == "websocket.receive":
                if not window.acquire(self._hall.times.now()):
                    self._hall.rate_limiter.count("too-many-messages")
                    connection.close(TOO_MANY)
                    return
        except ApiError:
            connection.close(NOT_FOUND)
        finally:
            leave(connection)
            self._count(person, -1)
            await connection.finish()


def read_frame(text: str | None) -> tuple[wire.Frame | None, ApiError | None, str | None]:
    """Read a frame: the message, or what is wrong with it and the id it may have had."""
    try:
        data: Any = json.loads(text) if text is not None else None
    except (ValueError, RecursionError):
        return None, ApiError("bad-json"), None
    if not isinstance(data, dict):
        return None, ApiError("bad-json"), None
    identity = data.get("id")
    identity = identity if isinstance(identity, str) and len(identity) <= 40 else None
    try:
        return wire.FRAMES.validate_python(data), None, identity
    except ValidationError as error:
        refused = ApiError("bad-request")
        refused.fields = validation_fields(error)
        return None, refused, identity


def validation_fields(error: ValidationError) -> list[dict[str, str]]:
    """Return what pydantic found wrong as the contract shows it."""
    found = error.errors(include_url=False, include_context=False, include_input=False)
    return [{"where": ".".join(map(str, one["loc"])), "text": one["msg"]} for one in found[:8]]
