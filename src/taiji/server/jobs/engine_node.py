"""An engine node: engine processes that take work from the bus, on a machine of their own."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING, Any

from taiji.server.contract.errors import ApiError
from taiji.server.jobs.engines import EngineFailed, EnginePool
from taiji.server.jobs.shared_engines import ANNOUNCE_S, ANNOUNCEMENTS, node_subject

if TYPE_CHECKING:
    from taiji.server.cluster.bus import MessageBus

MAX_QUEUED = 64


class EngineNodeServer:
    """Answers the jobs of all servers on a bus."""

    def __init__(self, bus: MessageBus, workers: int, memory_mb: int) -> None:
        self.id = secrets.token_hex(6)
        self._bus = bus
        self._pool = EnginePool(workers, MAX_QUEUED, memory_mb)
        self._jobs: dict[str, asyncio.Future[dict[str, Any]]] = {}

    async def run(self) -> None:
        """Work until cancelled."""
        await self._bus.open()
        await self._bus.serve(node_subject(self.id), self._take)
        await self._bus.subscribe(f"{node_subject(self.id)}.cancel", self._cancel)
        try:
            while True:
                self._announce()
                await asyncio.sleep(ANNOUNCE_S)
        finally:
            await self._pool.close()
            await self._bus.close()

    def _announce(self) -> None:
        stats = self._pool.stats()
        waiting = stats["busy"] + stats["queued"]
        message = {"node": self.id, "workers": stats["workers"], "waiting": waiting, "jobs": list(self._jobs)}
        self._bus.publish(ANNOUNCEMENTS, message)

    async def _take(self, job: dict[str, Any]) -> dict[str, Any]:
        try:
            answer = self._pool.submit(
                job["owner"], job["request"], seconds=job["seconds"], priority=job["priority"]
            )
        except ApiError:
            return {"busy": True}
        self._jobs[job["job"]] = answer
        answer.add_done_callback(lambda done: self._done(job, done))
        return {"taken": True}

    def _done(self, job: dict[str, Any], answer: asyncio.Future[dict[str, Any]]) -> None:
        self._jobs.pop(job["job"], None)
        if answer.cancelled():
            return
        error = answer.exception()
        content: dict[str, Any] = {"job": job["job"]}
        if error is None:
            content["answer"] = answer.result()
        else:
            content["error"] = str(error) if isinstance(error, EngineFailed) else type(error).__name__
        self._bus.publish(job["reply"], content)

    def _cancel(self, message: dict[str, Any]) -> None:
        answer = self._jobs.get(message["job"])
        if answer is not None:
            answer.cancel()
