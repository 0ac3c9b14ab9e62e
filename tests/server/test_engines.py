"""The pool of engine processes: bounded, fair, and alive after an engine's death."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from taiji.server.contract.errors import ApiError
from taiji.server.jobs import engines as module
from taiji.server.jobs.engine_worker import NICENESS
from taiji.server.jobs.engines import ANALYSE, MOVE, REVIEW, EngineFailed, EngineJob, EnginePool

LOOK = {"do": "look", "game": "taiji:size=3", "moves": [], "player": "random", "seconds": 0.1}


def run(coroutine: Any) -> Any:
    return asyncio.run(coroutine)


def test_an_engine_is_niced_capped_and_answers() -> None:
    async def main() -> tuple[dict[str, Any], str, str]:
        pool = EnginePool(1, 4, 3000)
        answer = await pool.submit("ada", LOOK, seconds=0.1, priority=ANALYSE)
        process = pool._idle[0]._process
        assert process is not None
        status = Path(f"/proc/{process.pid}/stat").read_text()
        limits = Path(f"/proc/{process.pid}/limits").read_text()
        await pool.close()
        return answer, status, limits

    answer, status, limits = run(main())
    assert answer["player"] == "random"
    assert int(status.rpartition(")")[2].split()[16]) == min(19, os.nice(0) + NICENESS)
    line = next(line for line in limits.splitlines() if line.startswith("Max address space"))
    assert str(3000 << 20) in line


def test_a_dead_or_hanging_engine_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STARTUP_TIMEOUT_S", 0.0)

    async def main() -> None:
        pool = EnginePool(1, 4, 3000)
        with pytest.raises(EngineFailed):  # nothing starts in no time
            await pool.submit("ada", LOOK, seconds=0.01, priority=ANALYSE)
        await pool.submit("ada", LOOK, seconds=20, priority=ANALYSE)
        process = pool._idle[0]._process
        assert process is not None
        os.kill(process.pid, signal.SIGKILL)
        with contextlib.suppress(EngineFailed):  # it may be noticed before or while it is asked
            await pool.submit("ada", LOOK, seconds=20, priority=ANALYSE)
        answer = await pool.submit("ada", LOOK, seconds=20, priority=ANALYSE)
        assert answer["candidates"]
        await pool.close()

    run(main())


def test_bad_requests_fail_without_killing_the_engine() -> None:
    async def main() -> None:
        pool = EnginePool(1, 4, 3000)
        with pytest.raises(EngineFailed, match="unknown game"):
            await pool.submit("ada", {**LOOK, "game": "chess"}, seconds=1, priority=ANALYSE)
        assert len(pool._idle) == 1
        await pool.close()

    run(main())


def test_the_queue_is_bounded_fair_and_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Moves go before questions before reviews; nobody has two at once; past the bound there is a refusal."""
    order: list[tuple[str, int]] = []
    at_once: list[set[str]] = []

    async def fake_run(self: EnginePool, job: EngineJob) -> None:
        order.append((job.owner, job.priority))
        at_once.append({running.owner for running in self._running.values()} | {job.owner})
        await asyncio.sleep(0.01)
        if not job.answer.done():
            job.answer.set_result({})

    monkeypatch.setattr(EnginePool, "_run", fake_run)

    async def main() -> None:
        pool = EnginePool(2, 3, 1000)
        wanted = [("a", REVIEW), ("a", ANALYSE), ("b", REVIEW), ("c", ANALYSE), ("d", MOVE)]
        jobs = [pool.submit(owner, LOOK, seconds=1, priority=p) for owner, p in wanted]
        with pytest.raises(ApiError) as refused:
            pool.submit("e", LOOK, seconds=1, priority=ANALYSE)
        assert (refused.value.code, refused.value.status) == ("engines-busy", 429)
        jobs.append(pool.submit("f", LOOK, seconds=1, priority=MOVE))
        assert pool.stats() == {"workers": 2, "busy": 2, "queued": 4}
        await asyncio.gather(*jobs)
        await pool.close()

    run(main())
    assert order[:2] == [("a", REVIEW), ("b", REVIEW)]
    assert order[2:] == [("d", MOVE), ("f", MOVE), ("a", ANALYSE), ("c", ANALYSE)]


def test_a_cancelled_job_leaves_the_queue() -> None:
    async def main() -> None:
        pool = EnginePool(1, 4, 3000)
        first = pool.submit("ada", LOOK, seconds=1, priority=ANALYSE)
        second = pool.submit("ada", LOOK, seconds=1, priority=ANALYSE)
        second.cancel()
        await asyncio.sleep(0)
        assert pool.stats()["queued"] == 0
        await first
        await pool.close()
        with pytest.raises(ApiError):
            pool.submit("ada", LOOK, seconds=1, priority=ANALYSE)

    run(main())


def test_without_engines_there_is_no_computer() -> None:
    async def main() -> None:
        with pytest.raises(ApiError) as refused:
            EnginePool(0, 4, 1000).submit("ada", LOOK, seconds=1, priority=ANALYSE)
        assert refused.value.code == "unavailable"

    run(main())
