"""Engine nodes: work goes over the bus to whoever has engines, and is not lost with a node."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from taiji.server.cluster.bus import LocalBus, LocalHub
from taiji.server.contract.errors import ApiError
from taiji.server.jobs.engine_node import EngineNodeServer
from taiji.server.jobs.engines import MOVE, EngineFailed, EnginePool
from taiji.server.jobs.shared_engines import SharedEngines
from tests.cli.run import refusal
from tests.waiting import eventually


class Pool:
    """Engines that answer when a test says so."""

    def __init__(self, workers: int = 1) -> None:
        self.max_workers = workers
        self.jobs: list[asyncio.Future[dict[str, Any]]] = []

    def stats(self) -> dict[str, int]:
        busy = sum(not job.done() for job in self.jobs)
        return {"workers": self.max_workers, "busy": busy, "queued": 0}

    def submit(
        self, owner: str, request: dict[str, Any], *, seconds: float, priority: int
    ) -> asyncio.Future[dict[str, Any]]:
        if not self.max_workers:
            raise ApiError("unavailable")
        self.jobs.append(asyncio.get_running_loop().create_future())
        return self.jobs[-1]

    async def close(self) -> None:
        for job in self.jobs:
            job.cancel()


class Node:
    """An engine node on a hub."""

    def __init__(self, hub: LocalHub) -> None:
        self.bus, self.pool = LocalBus(hub), Pool()
        self.server = EngineNodeServer(self.bus, 1, 256)
        self.server._pool = self.pool  # type: ignore[assignment]
        self.running = asyncio.create_task(self.server.run())

    async def die(self) -> None:
        self.bus.reconnect(False)
        self.running.cancel()
        await asyncio.gather(self.running, return_exceptions=True)


def with_nodes(count: int, body: Callable[..., Awaitable[None]], local: int = 0) -> None:
    async def main() -> None:
        hub = LocalHub()
        pool = Pool(local)
        engines = SharedEngines(pool, LocalBus(hub))  # type: ignore[arg-type]
        await engines.open()
        nodes = [Node(hub) for _ in range(count)]
        await eventually(lambda: engines.max_workers == count + local, "the nodes are not heard")
        try:
            await body(engines, *nodes)
        finally:
            await engines.close()
            for node in nodes:
                await node.die()

    asyncio.run(main())


def submit(engines: SharedEngines) -> asyncio.Future[dict[str, Any]]:
    return engines.submit("ada", {"do": "move"}, seconds=1, priority=MOVE)


def test_a_server_without_engines_has_those_of_the_nodes() -> None:
    async def body(engines: SharedEngines, node: Node) -> None:
        answer = submit(engines)
        await eventually(lambda: bool(node.pool.jobs), "the node gets no work")
        assert engines.stats()["busy"] == 1
        node.pool.jobs[0].set_result({"candidates": [{"move": 7}]})
        assert (await answer)["candidates"][0]["move"] == 7
        failing = submit(engines)
        await eventually(lambda: len(node.pool.jobs) == 2, "the node gets no work")
        node.pool.jobs[1].set_exception(EngineFailed("out of memory"))
        with pytest.raises(EngineFailed, match="out of memory"):
            await failing

    with_nodes(1, body)


def test_own_engines_come_first_and_nodes_help_when_they_are_busy() -> None:
    async def body(engines: SharedEngines, node: Node) -> None:
        own = submit(engines)
        second = submit(engines)
        await eventually(lambda: bool(node.pool.jobs), "the node gets no work")
        assert isinstance(engines.local, Pool)
        assert len(engines.local.jobs) == 1
        engines.local.jobs[0].set_result({"by": "server"})
        node.pool.jobs[0].set_result({"by": "node"})
        assert [(await own)["by"], (await second)["by"]] == ["server", "node"]

    with_nodes(1, body, local=1)


def test_a_job_of_a_node_that_dies_is_given_to_another() -> None:
    async def body(engines: SharedEngines, *nodes: Node) -> None:
        answer = submit(engines)
        await eventually(lambda: any(node.pool.jobs for node in nodes), "no node gets work")
        first = next(node for node in nodes if node.pool.jobs)
        other = next(node for node in nodes if node is not first)
        await first.die()
        await eventually(lambda: bool(other.pool.jobs), "the job is lost with its node")
        other.pool.jobs[0].set_result({"by": "the other"})
        assert (await answer)["by"] == "the other"

    with_nodes(2, body)


def test_a_cancelled_job_is_cancelled_at_the_node() -> None:
    async def body(engines: SharedEngines, node: Node) -> None:
        answer = submit(engines)
        await eventually(lambda: bool(node.pool.jobs), "the node gets no work")
        answer.cancel()
        await eventually(lambda: node.pool.jobs[0].cancelled(), "the node works on")

    with_nodes(1, body)


def test_without_any_engine_a_job_is_refused() -> None:
    async def main() -> None:
        engines = SharedEngines(EnginePool(0, 4, 256), LocalBus())
        await engines.open()
        with pytest.raises(ApiError, match="not available"):
            submit(engines)
        await engines.close()

    asyncio.run(main())


@pytest.mark.parametrize("address", ["nonsense", "http://bus:4222", "nats://", "nats://bus:0"])
def test_a_bus_needs_an_address(address: str) -> None:
    for command in ("engines", "serve"):
        said = refusal(command, "--cluster", address)
        assert f"--cluster {address!r}: not a bus (expected nats://HOST:4222)" in said
