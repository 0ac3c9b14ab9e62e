"""The other servers of the same database: requests to one, messages to all, and the events of tables."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from taiji.server.cluster.bus import Answer, Hear, LocalBus, Message, MessageBus, Unreachable

if TYPE_CHECKING:
    from taiji.server.cluster.postgres_channel import PostgresChannel
    from taiji.server.store.ownership import Ownership

log = logging.getLogger("taiji.server")

TIMEOUT_S = 0.4
"""How long a server waits for another on the bus; then it asks through the database."""
CUT_OFF_S = 5.0
"""How long a server is asked through the database first, because it answered only there."""
FALLBACK_TIMEOUT_S = 0.7
"""Short, because the server that is asked may be dead: then its successor is asked."""
ALL = "taiji.all"


class Peers:
    """This server's connection to the others; a single server has none."""

    def __init__(
        self, ownership: Ownership, bus: MessageBus | None = None, fallback: PostgresChannel | None = None
    ) -> None:
        self.bus = bus or LocalBus()
        self.ownership = ownership
        self.is_alone = bus is None
        self.counts = {"asked": 0, "asked through the database": 0, "unanswered": 0}
        self._fallback = fallback
        self._hearing: dict[str, Callable[[str, Any], None]] = {}
        self._answering: dict[str, Answer] = {}
        self._cut_off: dict[str, float] = {}
        """Until when each server is asked through the database first."""
        self._name: str | None = None
        self._renaming: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Connect to the bus, and listen."""
        if self.is_alone:
            return
        await self.bus.open()
        await self.bus.subscribe(ALL, self._hear)
        self._name = self.ownership.token or ""
        await self.bus.serve(_node(self._name), self._answer)
        if self._fallback is not None:
            await self._fallback.open(self._name, self._answer)

    async def close(self) -> None:
        """Disconnect."""
        if self._renaming is not None:
            self._renaming.cancel()
            await asyncio.gather(self._renaming, return_exceptions=True)
        if not self.is_alone:
            await self.bus.close()
            if self._fallback is not None:
                await self._fallback.close()

    def check_name(self) -> None:
        """Listen under the new id of this server, if it has one."""
        is_idle = self._renaming is None or self._renaming.done()
        if is_idle and self._name is not None and self.ownership.token != self._name:
            self._renaming = asyncio.create_task(self._rename(self.ownership.token or ""))

    async def _rename(self, name: str) -> None:
        old, self._name = self._name or "", name
        await self.bus.serve(_node(name), self._answer)
        await self.bus.unsubscribe(_node(old))
        if self._fallback is not None:
            await self._fallback.rename(name)

    # --- messages to all -----------------------------------------------------------------------------------

    def hear(self, kind: str, handler: Callable[[str, Any], None]) -> None:
        """Call a handler with the sender and the content of each message of a kind."""
        self._hearing[kind] = handler

    def cast(self, kind: str, content: Any) -> None:
        """Send a message to all other servers."""
        if not self.is_alone:
            self.bus.publish(ALL, {"from": self.ownership.token, "kind": kind, "content": content})

    def _hear(self, message: Message) -> None:
        if message["from"] != self.ownership.token and message["kind"] in self._hearing:
            self._hearing[message["kind"]](message["from"], message["content"])

    # --- requests ------------------------------------------------------------------------------------------

    def answer(self, kind: str, handler: Answer) -> None:
        """Answer the requests of a kind."""
        self._answering[kind] = handler

    async def ask(self, node_id: str, kind: str, content: Message, timeout_s: float = TIMEOUT_S) -> Message:
        """Ask one server, by the bus or else through the database; raise `Unreachable` without an answer."""
        message = {"kind": kind, "content": content}
        self.counts["asked"] += 1
        now = time.monotonic()
        if self._cut_off.get(node_id, 0.0) < now:
            try:
                return await self.bus.request(_node(node_id), message, timeout_s)
            except Unreachable:
                if self._fallback is None or node_id not in self.nodes:
                    self.counts["unanswered"] += 1
                    raise
        assert self._fallback is not None
        self.counts["asked through the database"] += 1
        answer = await self._fallback.request(node_id, message, max(FALLBACK_TIMEOUT_S, timeout_s))
        if self._cut_off.get(node_id, 0.0) < now:
            self._cut_off = {one: until for one, until in self._cut_off.items() if until > now}
            self._cut_off[node_id] = now + CUT_OFF_S
        return answer

    @property
    def nodes(self) -> frozenset[str]:
        """The servers that are alive, this one among them."""
        nodes: frozenset[str] = getattr(self.ownership, "nodes", frozenset())
        return nodes

    async def _answer(self, message: Message) -> Message:
        return await self._answering[message["kind"]](message["content"])

    # --- tables --------------------------------------------------------------------------------------------

    async def follow(self, table_id: str, hear: Hear) -> None:
        """Subscribe to the events that the owner of a table publishes."""
        if not self.is_alone:
            await self.bus.subscribe(_table(table_id), hear)

    async def unfollow(self, table_id: str) -> None:
        """Unsubscribe from a table."""
        if not self.is_alone:
            await self.bus.unsubscribe(_table(table_id))

    def tell(self, table_id: str, message: Message) -> None:
        """Publish a message to the servers that follow a table."""
        if not self.is_alone:
            self.bus.publish(_table(table_id), message)


def _node(node_id: str) -> str:
    return f"taiji.node.{node_id}"


def _table(table_id: str) -> str:
    return f"taiji.table.{table_id}"
