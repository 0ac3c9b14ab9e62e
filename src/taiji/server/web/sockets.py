"""WebSocket connections to tables, the lobby and tournaments, with limits in both directions."""

from __future__ import annotations

import asyncio
import json
import random
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from taiji.server.contract.errors import ApiError, InvalidField
from taiji.server.contract.frames import (
    CLIENT_FRAMES,
    AckFrame,
    ActionFrame,
    ErrorFrame,
    PingFrame,
    PongFrame,
    SayFrame,
    SnapshotFrame,
)
from taiji.server.identity import limits
from taiji.server.identity.auth_limits import ClientAddress
from taiji.server.identity.origins import is_same_origin
from taiji.server.identity.users import User
from taiji.server.identity.watch import SESSION_ENDED
from taiji.server.live import actions
from taiji.server.store.writer import StoreError
from taiji.server.web.request_checks import has_bad_text

if TYPE_CHECKING:
    from taiji.rules import Seat
    from taiji.server.identity.auth import Authenticator
    from taiji.server.identity.connections import Connections
    from taiji.server.identity.limits import RateLimiter
    from taiji.server.identity.watch import CredentialWatch
    from taiji.server.live.inbox import Inbox
    from taiji.server.live.lobby import Lobby
    from taiji.server.live.room import Room
    from taiji.server.live.rooms import RoomManager
    from taiji.server.live.talk import Talk
    from taiji.server.settings import ServerSettings
    from taiji.server.time_source import TimeSource
    from taiji.server.tournaments.feed import TournamentFeed

MAX_QUEUED_MESSAGES = 200
"""A connection with more queued messages is closed; it reconnects for a snapshot."""
PING_INTERVAL_MS = 15_000
PING_TICK_S = 0.25
"""Pings are spread over time: thousands at once would delay the moves."""
MAX_LAG_SAMPLES = 4
MAX_INVALID_FIELDS = 8

FOREIGN_ORIGIN, NOT_FOUND, BAD_FRAMES, TOO_MANY, TOO_SLOW = 4403, 4404, 4400, 4429, 1013


class Connection:
    """One socket: an outbox that a task drains, and the lag measured by pings."""

    __slots__ = (
        "_closing", "_lags", "_outbox", "_sending", "_sent", "_socket", "ids", "next_ping", "seat", "user",
    )  # fmt: skip

    def __init__(self, socket: WebSocket, user: User) -> None:
        self.user = user
        self.ids = user.ids
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
        """The lowest lag of the last pings; one delayed answer changes little."""
        return min(self._lags, default=0)

    @property
    def is_closing(self) -> bool:
        """Whether nothing more is sent, and nothing received is executed."""
        return self._closing is not None

    def send(self, text: str) -> None:
        """Queue a message."""
        if self._closing is not None:
            return
        if len(self._outbox) >= MAX_QUEUED_MESSAGES:
            self.close(TOO_SLOW)
            return
        self._outbox.append(text)
        self._flush()

    def close(self, code: int) -> None:
        """Close after the queued messages; at once if the client is too slow or its session has ended."""
        if self._closing is None:
            self._closing = code
            if code in (TOO_SLOW, SESSION_ENDED):
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
            self._outbox.clear()  # the client has gone; the receiving side notices
        finally:
            self._sending = None

    async def finish(self) -> None:
        """Wait until the queued messages are sent."""
        if self._sending is not None:
            await asyncio.wait({self._sending}, timeout=1)

    def ping(self, now: int) -> None:
        """Send a ping, to measure the lag."""
        number = self._sent[0] + 1
        self._sent = (number, now)
        self.next_ping = now + PING_INTERVAL_MS
        self.send(PingFrame(n=number).model_dump_json())

    def pong(self, number: int, now: int) -> None:
        """Record the lag of the answer to the last ping."""
        if number == self._sent[0]:
            self._lags.append(now - self._sent[1])


class Sockets:
    """All connections of the server."""

    def __init__(
        self,
        settings: ServerSettings,
        time: TimeSource,
        *,
        authenticator: Authenticator,
        watch: CredentialWatch,
        rate_limiter: RateLimiter,
        connections: Connections,
        rooms: RoomManager,
        lobby: Lobby,
        inbox: Inbox,
        talk: Talk,
        tournament_feed: TournamentFeed,
    ) -> None:
        self._settings = settings
        self._time = time
        self._authenticator = authenticator
        self._watch = watch
        self._rate_limiter = rate_limiter
        self._rooms = rooms
        self._lobby = lobby
        self._inbox = inbox
        self._talk = talk
        self._tournament_feed = tournament_feed
        self._connections = connections
        self._players: set[Connection] = set()

    @property
    def count(self) -> int:
        """The number of open sockets and streams."""
        return self._connections.count

    async def run_ping_loop(self) -> None:
        """Ping the players of games with a clock, each every 15 s."""
        while True:
            now = self._time.now()
            for connection in tuple(self._players):
                if connection.next_ping <= now:
                    connection.ping(now)
            await self._time.sleep(PING_TICK_S)

    async def _accept(self, socket: WebSocket) -> User | None:
        """Accept a socket and return its user, or close it with the reason."""
        await socket.accept()
        if not is_same_origin(socket, self._settings):
            self._rate_limiter.count("foreign-origin")
            await socket.close(FOREIGN_ORIGIN)
            return None
        try:
            user = await self._authenticator.authenticate(socket)
        except ApiError as error:
            self._rate_limiter.count(error.code)
            await socket.close(FOREIGN_ORIGIN)
            return None
        except (SQLAlchemyError, StoreError):
            self._rate_limiter.count("unavailable")
            await socket.close(TOO_SLOW)
            return None
        if self._connections.is_full(user, _client(socket)):
            self._rate_limiter.count("too-many-sockets")
            await socket.close(TOO_MANY)
            return None
        return user

    async def table(self, socket: WebSocket, table_id: str, after: int) -> None:
        """Serve a connection to a table until it ends."""
        user = await self._accept(socket)
        if user is not None:
            # Counted before anything is awaited, so that many at once cannot pass the check together.
            with self._connections.hold(user, _client(socket)):
                await self._serve_table(socket, user, table_id, after)

    async def _serve_table(self, socket: WebSocket, user: User, table_id: str, after: int) -> None:
        try:
            room = await self._rooms.get_current(table_id)
        except ApiError:
            await socket.close(NOT_FOUND)
            return
        except (SQLAlchemyError, StoreError):
            self._rate_limiter.count("unavailable")
            await socket.close(TOO_SLOW)
            return
        connection = Connection(socket, user)
        await room.wait_persisted()
        if room.is_closed:  # the last event could not be written; the client connects again
            await socket.close(TOO_SLOW)
            return
        self._greet(room, connection, after)
        try:
            with self._watch.hold(user.credential, partial(connection.close, SESSION_ENDED)):
                await self._receive(socket, connection, room)
        finally:
            room.leave(connection)
            self._players.discard(connection)
            await connection.finish()

    def _greet(self, room: Room, connection: Connection, after: int) -> None:
        now = self._time.now()
        connection.seat = room.table.find_seat(connection.ids)
        events = room.events_since(after)
        if events is None:
            connection.send(SnapshotFrame(table=room.view(connection.ids, now)).model_dump_json())
        else:
            for event in events:
                frame = event.frame(now if event is events[-1] else None)
                connection.send(frame.model_dump_json())
        room.enter(connection)
        if connection.seat is not None and room.table.clock is not None:
            connection.next_ping = now + int(random.random() * PING_INTERVAL_MS) if self._players else now
            self._players.add(connection)

    async def _receive(self, socket: WebSocket, connection: Connection, room: Room) -> None:
        window = limits.SlidingWindow(*limits.FRAME_LIMIT)
        bad = 0
        while True:
            message = await socket.receive()
            if message["type"] != "websocket.receive" or connection.is_closing:
                return
            if not window.acquire(self._time.now()):
                self._rate_limiter.count("too-many-messages")
                connection.close(TOO_MANY)
                return
            if not await self._handle(connection, room, message.get("text")):
                bad += 1
                if bad >= limits.MAX_BAD_FRAMES:
                    connection.close(BAD_FRAMES)
                    return

    async def _handle(self, connection: Connection, room: Room, text: str | None) -> bool:
        """Execute a frame; return whether it was valid."""
        frame = read_frame(text)
        if isinstance(frame, InvalidFrame):
            self._send_error(connection, frame.error, frame.id)
            return False
        if isinstance(frame, PongFrame):
            connection.pong(frame.n, self._time.now())
            return True
        try:
            if isinstance(frame, SayFrame):
                version = await self._say(connection, room, frame)
            else:
                version = await actions.perform(self._rooms, room, connection.ids, frame, connection.lag)
        except ApiError as error:
            self._send_error(connection, error, frame.id)
        else:
            connection.send(AckFrame(id=frame.id, version=version).model_dump_json())
        return True

    async def _say(self, connection: Connection, room: Room, frame: SayFrame) -> int:
        """Say a phrase; its acknowledgement carries the version of the table, which it does not change."""
        self._rate_limiter.acquire("phrases", connection.user.id)
        connection.user.refuse_muted()
        try:
            await self._talk.say(room, connection.ids, frame)
        except (SQLAlchemyError, StoreError) as error:
            raise ApiError("unavailable", "the phrase could not be stored: try again") from error
        return room.table.version

    def _send_error(self, connection: Connection, error: ApiError, request_id: str | None) -> None:
        self._rate_limiter.count(error.code)
        connection.send(ErrorFrame(id=request_id, error=error.body()).model_dump_json())

    async def lobby(self, socket: WebSocket) -> None:
        """Serve a connection to the lobby until it ends."""
        await self._feed(socket, self._lobby.enter, self._lobby.leave)

    async def notifications(self, socket: WebSocket) -> None:
        """Serve a connection to the user's notifications until it ends."""
        await self._feed(socket, self._inbox.enter, self._inbox.leave)

    async def tournament(self, socket: WebSocket, tournament_id: str) -> None:
        """Serve a connection to a tournament until it ends."""
        feed = self._tournament_feed
        await self._feed(socket, partial(feed.enter, tournament_id), feed.leave)

    async def _feed(
        self,
        socket: WebSocket,
        enter: Callable[[Connection, User], Awaitable[None]],
        leave: Callable[[Connection], None],
    ) -> None:
        """Serve a connection that only receives."""
        user = await self._accept(socket)
        if user is not None:
            with self._connections.hold(user, _client(socket)):
                await self._serve_feed(socket, user, enter, leave)

    async def _serve_feed(
        self,
        socket: WebSocket,
        user: User,
        enter: Callable[[Connection, User], Awaitable[None]],
        leave: Callable[[Connection], None],
    ) -> None:
        connection = Connection(socket, user)
        window = limits.SlidingWindow(*limits.FRAME_LIMIT)
        try:
            with self._watch.hold(user.credential, partial(connection.close, SESSION_ENDED)):
                await enter(connection, user)
                while (await socket.receive())["type"] == "websocket.receive":
                    if not window.acquire(self._time.now()):
                        self._rate_limiter.count("too-many-messages")
                        connection.close(TOO_MANY)
                        return
        except ApiError:
            connection.close(NOT_FOUND)
        except (SQLAlchemyError, StoreError):
            connection.close(TOO_SLOW)
        finally:
            leave(connection)
            await connection.finish()


def _client(socket: WebSocket) -> ClientAddress:
    return ClientAddress.parse(socket.client.host if socket.client else "?")


class InvalidFrame(NamedTuple):
    """What is wrong with a frame, and its id if it has one."""

    error: ApiError
    id: str | None


def read_frame(text: str | None) -> ActionFrame | SayFrame | PongFrame | InvalidFrame:
    """Read a client's frame."""
    try:
        data: Any = json.loads(text) if text is not None else None
    except (ValueError, RecursionError):
        return InvalidFrame(ApiError("bad-json"), None)
    if not isinstance(data, dict):
        return InvalidFrame(ApiError("bad-json"), None)
    if has_bad_text(data):
        return InvalidFrame(ApiError("bad-text"), None)
    request_id = data.get("id")
    request_id = request_id if isinstance(request_id, str) and len(request_id) <= 40 else None
    try:
        return CLIENT_FRAMES.validate_python(data)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_context=False, include_input=False)
        return InvalidFrame(ApiError("bad-request", fields=invalid_fields(problems)), request_id)


def invalid_fields(problems: Sequence[Mapping[str, Any]]) -> tuple[InvalidField, ...]:
    """Return the first problems that pydantic found, as they are sent."""
    return tuple(
        InvalidField(path=".".join(map(str, problem["loc"])), message=problem["msg"])
        for problem in problems[:MAX_INVALID_FIELDS]
    )
