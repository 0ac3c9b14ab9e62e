"""The engine pool: separate processes with low priority and hard limits behind one bounded queue."""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import os
import sys
from dataclasses import dataclass, field
from typing import Any

from taiji.arena.system import was_out_of_cpu_time
from taiji.server.contract.errors import ApiError

log = logging.getLogger("taiji.server")

STARTUP_TIMEOUT_S = 90.0
"""Time beyond its own limit that the first job of a process may take: it loads the engine."""
OVERTIME_S = 20.0
"""Time beyond its own limit that any later job may take."""
MOVE, ANALYSE, REVIEW = 0, 1, 2
"""Priorities: a move in a game, then an analysis, then a review."""
ENGINE_WORKER = "taiji.server.jobs.engine_worker"
MAX_ANSWER_BYTES = 32 << 20
"""The longest answers are pictures."""
MOVE_QUEUE_FACTOR = 8
"""A move in a game is refused only if the queue is this many times too long."""


class EngineFailed(Exception):
    """An engine process crashed, timed out or sent an invalid answer."""


class CpuExhausted(EngineFailed):
    """The system ended a process whose task used more than its CPU time."""


@dataclass(order=True)
class EngineJob:
    """A request of an owner, with its priority."""

    priority: int
    sequence: int
    owner: str = field(compare=False)
    request: dict[str, Any] = field(compare=False)
    limit_s: float = field(compare=False)
    answer: asyncio.Future[dict[str, Any]] = field(compare=False)


class EnginePool:
    """Engine processes and queued jobs; an owner never has two jobs running."""

    def __init__(self, workers: int, queue: int, memory_mb: int, *, module: str = ENGINE_WORKER) -> None:
        self.max_workers = workers
        self._max_queued = queue
        self._memory_mb = memory_mb
        self._module = module
        self._numbers = itertools.count()
        self._waiting: list[EngineJob] = []
        self._running: dict[asyncio.Task[None], EngineJob] = {}
        self._idle: list[EngineProcess] = []
        self._closed = False

    def stats(self) -> dict[str, int]:
        """Return how busy the engines are."""
        return {"workers": self.max_workers, "busy": len(self._running), "queued": len(self._waiting)}

    def submit(
        self, owner: str, request: dict[str, Any], *, seconds: float, priority: int
    ) -> asyncio.Future[dict[str, Any]]:
        """Queue a job, or raise `ApiError` if the queue is full."""
        if not self.max_workers or self._closed:
            raise ApiError("unavailable")
        bound = self._max_queued * (MOVE_QUEUE_FACTOR if priority == MOVE else 1)
        if len(self._waiting) >= bound:
            raise ApiError("engines-busy", retry_after_s=5)
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        job = EngineJob(priority, next(self._numbers), owner, request, seconds, answer)
        self._waiting.append(job)
        answer.add_done_callback(lambda _: self._dropped(job))
        self._dispatch()
        return answer

    def _dropped(self, job: EngineJob) -> None:
        """Remove a cancelled job from the queue, or cancel its task."""
        if job.answer.cancelled():
            if job in self._waiting:
                self._waiting.remove(job)
            for task, running in self._running.items():
                if running is job:
                    task.cancel()

    def _dispatch(self) -> None:
        while len(self._running) < self.max_workers and not self._closed:
            busy = {job.owner for job in self._running.values()}
            ready = [job for job in self._waiting if job.owner not in busy]
            if not ready:
                return
            job = min(ready)
            self._waiting.remove(job)
            task = asyncio.create_task(self._run(job))
            self._running[task] = job
            task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._running.pop(task, None)
        self._dispatch()

    async def _run(self, job: EngineJob) -> None:
        known = bool(self._idle)
        process = self._idle.pop() if known else EngineProcess(self._memory_mb, self._module)
        limit_s = job.limit_s + (OVERTIME_S if known else STARTUP_TIMEOUT_S)
        try:
            async with asyncio.timeout(limit_s):
                reply = await process.request(job.request)
        except asyncio.CancelledError:
            await process.kill()
            raise
        except Exception as error:  # noqa: BLE001 - whatever it was, the process is not to be trusted again
            await process.kill()
            level = logging.INFO if isinstance(error, CpuExhausted) else logging.WARNING
            log.log(level, "an engine failed at %s: %r", job.request.get("do"), error)
            if not job.answer.done():
                failed = error if isinstance(error, EngineFailed) else EngineFailed(repr(error))
                job.answer.set_exception(failed)
            return
        self._idle.append(process)
        if not job.answer.done():
            if "error" in reply:
                job.answer.set_exception(EngineFailed(reply["error"]))
            else:
                job.answer.set_result(reply)

    def refuse_all(self) -> None:
        """Take no more jobs, and fail those that wait or run, so that nobody waits for them."""
        self._closed = True
        for job in [*self._waiting, *self._running.values()]:
            if not job.answer.done():
                job.answer.set_exception(EngineFailed("the server is stopping"))
                job.answer.exception()  # whoever waited may be gone
        self._waiting.clear()

    async def close(self) -> None:
        """Kill all processes."""
        self.refuse_all()
        for task in list(self._running):
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        for process in self._idle:
            await process.kill()


class EngineProcess:
    """One engine process, started at the first request; it speaks JSON lines."""

    def __init__(self, memory_mb: int, module: str = ENGINE_WORKER) -> None:
        self._memory_mb = memory_mb
        self._module = module
        self._process: asyncio.subprocess.Process | None = None

    async def request(self, request: dict[str, Any]) -> dict[str, Any]:
        """Send a request and wait for its answer."""
        if self._process is None:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", self._module, str(self._memory_mb)),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
                # Ctrl-C in the terminal is for the server, which kills its engines itself. They stay in its
                # session: Linux schedules sessions against each other, and niceness counts within one.
                process_group=0,
                limit=MAX_ANSWER_BYTES,
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        await self._process.stdin.drain()
        line = await self._process.stdout.readline()
        if not line:
            if was_out_of_cpu_time(await self._process.wait()):
                raise CpuExhausted("the process used too much CPU time")
            raise EngineFailed("the process ended")
        reply: dict[str, Any] = json.loads(line)
        return reply

    async def kill(self) -> None:
        """Kill the process."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()
