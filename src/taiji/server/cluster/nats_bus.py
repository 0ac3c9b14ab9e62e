"""The bus over NATS; it connects and reconnects in the background."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from taiji.server.cluster.bus import Answer, Hear, Message, Unreachable

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg
    from nats.aio.subscription import Subscription

log = logging.getLogger("taiji.server")

RETRY_S = 0.2
CONNECT_TIMEOUT_S = 2.0
PING_S = 2.0
"""A connection that does not answer two pings is given up."""
MAX_WAITING = 20_000
"""Messages that wait to be sent; more are lost."""

Callback = Callable[["Msg"], Any]


class NatsBus:
    """A connection to NATS."""

    def __init__(self, address: str) -> None:
        self.on_reconnect: list[Callable[[], None]] = []
        self.lost = 0
        self._address = address
        self._client: Client | None = None
        self._wanted: dict[str, tuple[Callback, str]] = {}
        self._subscriptions: dict[str, Subscription] = {}
        self._outbox: deque[tuple[str, bytes]] = deque()
        self._filled = asyncio.Event()
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def is_connected(self) -> bool:
        """Whether messages are likely to arrive."""
        return self._client is not None and self._client.is_connected

    async def open(self) -> None:
        """Connect, and go on without a connection if that takes long."""
        connecting = self._start(self._connect())
        await asyncio.wait({connecting}, timeout=CONNECT_TIMEOUT_S)
        self._start(self._pump())

    async def close(self) -> None:
        """Send what waits, and disconnect."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._client is not None:
            with suppress(Exception):
                if self._client.is_connected:
                    for subject, data in self._outbox:
                        await self._client.publish(subject, data)
                    async with asyncio.timeout(1):
                        await self._client.flush()
            with suppress(Exception):
                await self._client.close()

    def publish(self, subject: str, message: Message) -> None:
        """Send a message to all subscribers of a subject, without waiting."""
        if len(self._outbox) >= MAX_WAITING:
            self.lost += 1
            return
        self._outbox.append((subject, json.dumps(message, separators=(",", ":")).encode()))
        self._filled.set()

    async def request(self, subject: str, message: Message, timeout_s: float) -> Message:
        """Return the answer of one subscriber, or raise `Unreachable`."""
        from nats.errors import Error

        if self._client is None or not self._client.is_connected:
            raise Unreachable("the bus is not connected")
        try:
            data = json.dumps(message, separators=(",", ":")).encode()
            reply = await self._client.request(subject, data, timeout=timeout_s)
        except (Error, TimeoutError) as error:
            raise Unreachable(f"{subject}: {error}") from error
        answer: Message = json.loads(reply.data)
        return answer

    async def subscribe(self, subject: str, hear: Hear) -> None:
        """Receive the messages of a subject, in order."""

        async def receive(received: Msg) -> None:
            try:
                hear(json.loads(received.data))
            except Exception:
                log.exception("a message to %s could not be handled", subject.split(".")[1])

        await self._want(subject, receive, "")

    async def serve(self, subject: str, answer: Answer, group: str = "") -> None:
        """Answer the requests to a subject; of a group one member receives each."""

        async def work(received: Msg) -> None:
            try:
                reply = await answer(json.loads(received.data))
            except Exception:
                log.exception("a request to %s could not be answered", subject.split(".")[1])
                return
            # Through the same queue as the messages: an answer must not overtake what was published before.
            self.publish(received.reply, reply)

        async def receive(received: Msg) -> None:
            self._start(work(received))

        await self._want(subject, receive, group)

    async def unsubscribe(self, subject: str) -> None:
        """Receive nothing of a subject any more."""
        self._wanted.pop(subject, None)
        subscription = self._subscriptions.pop(subject, None)
        if subscription is not None:
            with suppress(Exception):
                await subscription.unsubscribe()

    async def _want(self, subject: str, receive: Callback, group: str) -> None:
        self._wanted[subject] = (receive, group)
        if self._client is not None:
            await self._subscribe(subject)

    async def _subscribe(self, subject: str) -> None:
        assert self._client is not None
        receive, group = self._wanted[subject]
        with suppress(Exception):  # the client subscribes again when it has reconnected
            self._subscriptions[subject] = await self._client.subscribe(subject, queue=group, cb=receive)

    async def _connect(self) -> None:
        import nats

        async def reconnected() -> None:
            for callback in self.on_reconnect:
                callback()

        async def ignore(*_: object) -> None:
            """Say nothing: the client tries again."""

        failed = False
        while self._client is None:
            try:
                self._client = await nats.connect(
                    self._address,
                    connect_timeout=CONNECT_TIMEOUT_S,
                    max_reconnect_attempts=-1,
                    reconnect_time_wait=RETRY_S,
                    ping_interval=PING_S,
                    max_outstanding_pings=2,
                    reconnected_cb=reconnected,
                    error_cb=ignore,
                    name="taiji",
                )
            except Exception as error:  # noqa: BLE001 - the server works without a bus, only more slowly
                if not failed:
                    log.warning("the bus cannot be reached: %s", str(error) or type(error).__name__)
                failed = True
                await asyncio.sleep(RETRY_S)
        for subject in list(self._wanted):
            await self._subscribe(subject)
        if failed:
            await reconnected()

    async def _pump(self) -> None:
        while True:
            await self._filled.wait()
            self._filled.clear()
            while self._outbox:
                subject, data = self._outbox.popleft()
                if self._client is None or not self._client.is_connected:
                    self.lost += 1
                    continue
                try:
                    await self._client.publish(subject, data)
                except Exception:  # noqa: BLE001 - a message may be lost
                    self.lost += 1

    def _start(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
