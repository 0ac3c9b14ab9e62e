"""Tasks of strangers: each kind has a queue and a process of its own, and is charged to an address."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from taiji.server.contract.errors import ApiError
from taiji.server.identity.limits import CPU_LIMIT
from taiji.server.jobs.engines import ANALYSE, CpuExhausted, EngineFailed, EnginePool
from taiji.server.jobs.task_worker import answer

if TYPE_CHECKING:
    from taiji.server.identity.limits import RateLimiter

WORKER = "taiji.server.jobs.task_worker"
MEMORY_MB = 1024


@dataclass(frozen=True, slots=True)
class TaskKind:
    """How much one task may cost, and how many may wait."""

    cpu_s: float
    queue: int


KINDS = {
    "read-record": TaskKind(cpu_s=3.0, queue=16),
    "define-game": TaskKind(cpu_s=3.0, queue=32),
    "draw": TaskKind(cpu_s=20.0, queue=16),
    "judge-password": TaskKind(cpu_s=6.0, queue=32),
}


class Tasks:
    """Runs tasks in worker processes; without any, in threads."""

    def __init__(self, workers: int, limiter: RateLimiter) -> None:
        self._limiter = limiter
        self.pools = {
            name: EnginePool(workers, kind.queue, MEMORY_MB, module=WORKER) for name, kind in KINDS.items()
        }
        self._alone = {name: asyncio.Semaphore(1) for name in KINDS}

    async def run(self, kind: str, address: str | None, request: dict[str, Any]) -> dict[str, Any]:
        """Perform a task for a visitor at an address; raise `ApiError` if it is refused or costs too much.

        Without an address nobody is charged: the number of these requests is limited.
        """
        limits, pool = KINDS[kind], self.pools[kind]
        if address is not None:
            self._limiter.require_left(CPU_LIMIT, address)
        wanted = {"do": kind, "cpu_s": limits.cpu_s, **request}
        if not pool.max_workers:
            async with self._alone[kind]:
                reply = await asyncio.to_thread(answer, wanted)
        else:
            try:
                reply = await pool.submit(
                    f"task {address}", wanted, seconds=4 * limits.cpu_s, priority=ANALYSE
                )
            except CpuExhausted as error:
                self._charge(address, limits.cpu_s)
                raise ApiError("too-costly") from error
            except EngineFailed as error:
                raise ApiError("unavailable") from error
        self._charge(address, reply.get("cpu_s", 0.0))
        if "refused" in reply:
            code, message = reply["refused"]
            raise ApiError(code, message)
        if "error" in reply:
            raise ApiError("unavailable")
        return reply

    async def count_guesses(self, password: str, name: str) -> float:
        """Estimate the guesses that find a password, which takes up to a second."""
        reply = await self.run("judge-password", None, {"password": password, "name": name})
        return float(reply["guesses"])

    def _charge(self, address: str | None, cpu_s: float) -> None:
        if address is not None:
            self._limiter.add(CPU_LIMIT, address, round(cpu_s * 1000))

    def queued(self) -> dict[str, int]:
        """Return the number of waiting tasks of each kind."""
        return {name: pool.stats()["queued"] for name, pool in self.pools.items()}

    def refuse_all(self) -> None:
        """Take no more tasks, and fail those that wait or run."""
        for pool in self.pools.values():
            pool.refuse_all()

    async def close(self) -> None:
        """Kill all processes."""
        for pool in self.pools.values():
            await pool.close()
