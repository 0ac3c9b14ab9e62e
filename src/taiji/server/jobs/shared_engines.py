"""Engines of this server and of engine nodes on the bus, behind the interface of one pool.

An engine node announces itself twice a second with the jobs that it has. A job whose node falls silent, or
no longer knows it, is given to another.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from taiji.server.cluster.bus import Unreachable
from taiji.server.contract.errors import ApiError
from taiji.server.jobs.engines import EngineFailed

if TYPE_CHECKING:
    from taiji.server.cluster.bus import MessageBus
    from taiji.server.jobs.engines import EnginePool

log = logging.getLogger("taiji.server")

ANNOUNCEMENTS = "taiji.engines"
ANNOUNCE_S = 0.5
SILENT_S = 3.0
"""A node that has announced nothing for so long is given up."""
TAKE_TIMEOUT_S = 1.0
ATTEMPTS = 3

Reply = dict[str, Any]


def node_subject(node_id: str) -> str:
    """Return the subject of the requests to an engine node."""
    return f"taiji.engine.{node_id}"


@dataclass(slots=True)
class EngineNode:
    """An engine node as it announced itself last."""

    workers: int
    waiting: int
    """The jobs that run or wait."""
    heard_at: float
    jobs: frozenset[str]
    assigned: dict[str, float] = field(default_factory=dict)
    """When each job was given to it."""


class SharedEngines:
    """The engines of this server, and those of the nodes."""

    def __init__(self, local: EnginePool, bus: MessageBus | None) -> None:
        self.local = local
        self._bus = bus
        self._inbox = f"taiji.results.{secrets.token_hex(8)}"
        self._nodes: dict[str, EngineNode] = {}
        self._answers: dict[str, asyncio.Future[Reply]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Listen for engine nodes."""
        if self._bus is not None:
            await self._bus.subscribe(ANNOUNCEMENTS, self._hear_node)
            await self._bus.subscribe(self._inbox, self._hear_result)

    @property
    def max_workers(self) -> int:
        """The number of engine processes here and at the nodes."""
        return self.local.max_workers + sum(node.workers for node in self._living().values())

    def stats(self) -> dict[str, int]:
        """Return how busy the engines are."""
        stats = self.local.stats()
        return {**stats, "workers": self.max_workers, "busy": stats["busy"] + len(self._answers)}

    def submit(
        self, owner: str, request: dict[str, Any], *, seconds: float, priority: int
    ) -> asyncio.Future[Reply]:
        """Queue a job here or at a node, or raise `ApiError` if there is no engine."""
        stats = self.local.stats()
        is_idle = stats["busy"] + stats["queued"] < stats["workers"]
        if is_idle or not self._living():
            return self.local.submit(owner, request, seconds=seconds, priority=priority)
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        job = {"owner": owner, "request": request, "seconds": seconds, "priority": priority}
        task = asyncio.create_task(self._run(job, answer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        answer.add_done_callback(lambda done: task.cancel() if done.cancelled() else None)
        return answer

    async def close(self) -> None:
        """Give up all jobs."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.local.close()

    # --- nodes ---------------------------------------------------------------------------------------------

    def _living(self) -> dict[str, EngineNode]:
        since = time.monotonic() - SILENT_S
        self._nodes = {node_id: node for node_id, node in self._nodes.items() if node.heard_at > since}
        return self._nodes

    def _hear_node(self, message: Reply) -> None:
        now = time.monotonic()
        node = self._nodes.get(message["node"])
        assigned = {} if node is None else node.assigned
        jobs = frozenset(message["jobs"])
        self._nodes[message["node"]] = EngineNode(message["workers"], message["waiting"], now, jobs, assigned)
        for job_id, at in list(assigned.items()):
            if job_id not in jobs and now - at > 2 * ANNOUNCE_S:
                self._lose(job_id, "its node does not know it")

    def _hear_result(self, message: Reply) -> None:
        answer = self._answers.get(message["job"])
        if answer is not None and not answer.done():
            answer.set_result(message)

    def _lose(self, job_id: str, reason: str) -> None:
        answer = self._answers.get(job_id)
        if answer is not None and not answer.done():
            answer.set_exception(Unreachable(reason))

    async def _run(self, job: Reply, answer: asyncio.Future[Reply]) -> None:
        """Give a job to one node after another until one has answered; then this server's engines try."""
        for _ in range(ATTEMPTS):
            living = self._living()
            if not living:
                break
            node_id = min(
                living, key=lambda one: (living[one].waiting - living[one].workers, secrets.token_hex(2))
            )
            try:
                reply = await self._give(node_id, living[node_id], job)
            except Unreachable as error:
                log.warning("an engine node lost a job: %s", error)
                self._nodes.pop(node_id, None)
                continue
            if answer.done():
                return
            if "error" in reply:
                answer.set_exception(EngineFailed(reply["error"]))
            else:
                answer.set_result(reply["answer"])
            return
        if not answer.done():
            try:
                answer.set_result(await self.local.submit(**job))
            except (ApiError, EngineFailed) as error:
                answer.set_exception(error)

    async def _give(self, node_id: str, node: EngineNode, job: Reply) -> Reply:
        assert self._bus is not None
        job_id = secrets.token_hex(8)
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._answers[job_id] = future
        node.assigned[job_id] = time.monotonic()
        node.waiting += 1
        content = {"job": job_id, "reply": self._inbox, **job}
        try:
            taken = await self._bus.request(node_subject(node_id), content, TAKE_TIMEOUT_S)
            if not taken.get("taken"):
                raise Unreachable("the node is busy")
            while not future.done():
                await asyncio.wait({future}, timeout=ANNOUNCE_S)
                if not future.done() and node_id not in self._living():
                    raise Unreachable("the node fell silent")
            return await future
        except asyncio.CancelledError:
            self._bus.publish(f"{node_subject(node_id)}.cancel", {"job": job_id})
            raise
        finally:
            del self._answers[job_id]
            node.assigned.pop(job_id, None)
