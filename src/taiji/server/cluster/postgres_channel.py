"""Requests between servers through PostgreSQL, for the time that the bus is away or cuts one server off."""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from taiji.server.cluster.bus import Answer, Message, Unreachable
from taiji.server.store.database import NETWORK_LIMITS

if TYPE_CHECKING:
    import psycopg
    from sqlalchemy import URL

log = logging.getLogger("taiji.server")

RETRY_S = 0.2
MAX_PAYLOAD_BYTES = 7900
"""PostgreSQL notifies with less than 8,000 bytes."""


class PostgresChannel:
    """Sends requests by NOTIFY and answers those that arrive."""

    def __init__(self, url: URL) -> None:
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._name = ""
        self._answer: Answer | None = None
        self._numbers = itertools.count()
        self._waiting: dict[int, asyncio.Future[Message]] = {}
        self._sending: psycopg.AsyncConnection[Any] | None = None
        self._send_lock = asyncio.Lock()
        self._listening: psycopg.AsyncConnection[Any] | None = None
        self._tasks: set[asyncio.Task[Any]] = set()

    async def open(self, name: str, answer: Answer) -> None:
        """Listen under a name."""
        self._name, self._answer = name, answer
        self._start(self._listen())

    async def rename(self, name: str) -> None:
        """Listen under another name."""
        if name != self._name:
            self._name = name
            if self._listening is not None:
                with suppress(Exception):
                    await self._listening.close()

    async def close(self) -> None:
        """Disconnect."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for connection in (self._sending, self._listening):
            if connection is not None:
                with suppress(Exception):
                    await connection.close()

    async def request(self, name: str, message: Message, timeout_s: float) -> Message:
        """Return the answer of the server with a name, or raise `Unreachable`."""
        number = next(self._numbers)
        future: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        try:
            async with asyncio.timeout(timeout_s):
                await self._send(name, {"ask": number, "from": self._name, "body": message})
                return await future
        except TimeoutError:
            raise Unreachable(name) from None
        finally:
            del self._waiting[number]

    async def _connect(self) -> psycopg.AsyncConnection[Any]:
        import psycopg
        from psycopg.conninfo import make_conninfo

        address = make_conninfo(self._address, **NETWORK_LIMITS)
        return await psycopg.AsyncConnection.connect(address, autocommit=True)

    async def _send(self, name: str, message: Message) -> None:
        import psycopg

        data = json.dumps(message, separators=(",", ":"))
        if len(data.encode()) > MAX_PAYLOAD_BYTES:
            raise Unreachable("the message is too long")
        async with self._send_lock:
            try:
                if self._sending is None or self._sending.closed:
                    self._sending = await self._connect()
                await self._sending.execute("SELECT pg_notify(%s, %s)", (name, data))
            except psycopg.Error as error:
                if self._sending is not None:
                    await self._sending.close()
                raise Unreachable(str(error)) from error

    async def _listen(self) -> None:
        while True:
            try:
                connection = self._listening = await self._connect()
                await connection.execute(f'LISTEN "{self._name}"')
                async for notify in connection.notifies():
                    self._receive(json.loads(notify.payload))
            except Exception as error:  # noqa: BLE001 - whatever it was, the server must listen again
                log.info("the channel through the database listens again: %s", error)
                await asyncio.sleep(RETRY_S)

    def _receive(self, message: Message) -> None:
        if "ask" in message:
            self._start(self._reply(message))
        else:
            future = self._waiting.get(message["number"])
            if future is not None and not future.done():
                future.set_result(message["body"])

    async def _reply(self, message: Message) -> None:
        assert self._answer is not None
        try:
            body = await self._answer(message["body"])
            await self._send(message["from"], {"number": message["ask"], "body": body})
        except Unreachable:
            log.info("an answer could not be sent")

    def _start(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
