"""A worker pool on a Ray cluster, with the interface of the local pool."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from taiji.arena.pool import InlinePool, LocalPool, PoolError, Result, Task, WorkerPool

LOCAL = "local"
"""The address that starts Ray on this machine for the current process only."""
MAX_LOSSES = 5
"""Maximum attempts at a task whose worker was lost."""
POLL_INTERVAL_S = 1.0
"""Interval at which a waiting `run` checks whether the pool was closed."""
CONNECT_TIMEOUT_S = 5.0
"""Maximum time to connect to a cluster."""
PREFETCH = 2
"""Tasks submitted per CPU, so that none waits for this process."""


class ClusterUnavailable(ValueError):
    """A cluster that cannot be reached, or a missing Ray package."""


class RayPool:
    """Workers of a Ray cluster; each result is yielded once, even if workers are lost.

    Ray's own retries are off: this class retries, so that it knows which attempt a result belongs to.
    """

    def __init__(self, address: str = LOCAL, workers: int | None = None) -> None:
        self._ray = ray = _ray()
        self._started_ray = not ray.is_initialized()
        if self._started_ray:
            settings: dict[str, Any] = {"log_to_driver": False, "include_dashboard": False}
            if address == LOCAL:
                settings["num_cpus"] = workers or os.cpu_count() or 1
            else:
                _check_reachable(address)
                del settings["include_dashboard"]
                settings["address"] = address
            try:
                ray.init(configure_logging=False, **settings)
            except (ConnectionError, ValueError, RuntimeError) as error:
                raise ClusterUnavailable(
                    f"no Ray at {address}: {' '.join(str(error).split())[:200]}"
                ) from error
        self._workers = workers
        self._closed = False
        self._using = threading.Lock()
        """Held during calls to Ray, so that `close` does not shut it down in between."""

    @property
    def workers(self) -> int:
        """Number of tasks that the cluster runs at the same time now."""
        return self._workers or max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def run(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[tuple[Task, Result]]:
        """Call `work` for each task; a task whose worker is lost is submitted again."""
        ray = self._ray
        remote = ray.remote(num_cpus=1, max_retries=0)(_call)
        shared = ray.put(work)
        source = iter(tasks)
        running: dict[Any, tuple[Task, int]] = {}

        def feed() -> None:
            room = PREFETCH * self.workers
            while len(running) < room:
                for task in source:
                    running[remote.remote(shared, task)] = (task, 1)
                    break
                else:
                    return

        feed()
        try:
            while running:
                with self._using:
                    if self._closed:
                        return
                    ready, _ = ray.wait(list(running), num_returns=1, timeout=POLL_INTERVAL_S)
                    if not ready:
                        continue
                    task, attempt = running.pop(ready[0])
                    try:
                        result = ray.get(ready[0])
                    except _lost(ray) as error:
                        if attempt >= MAX_LOSSES:
                            raise PoolError(f"a worker was lost {attempt} times at {task!r:.200}") from error
                        running[remote.remote(shared, task)] = (task, attempt + 1)
                        continue
                    feed()
                yield task, result
        finally:
            # After its shutdown, this call would start Ray again.
            if not (self._closed and self._started_ray):
                for pending in running:
                    ray.cancel(pending, force=True)

    def close(self) -> None:
        """Leave the cluster, even while a `run` waits; shut Ray down if this pool started it."""
        self._closed = True
        with self._using:
            if self._started_ray:
                self._ray.shutdown()


def _call(work: Callable[[Task], Result], task: Task) -> Result:
    return work(task)


def _lost(ray: Any) -> tuple[type[Exception], ...]:
    errors = ray.exceptions
    return errors.WorkerCrashedError, errors.NodeDiedError, errors.ObjectLostError, errors.OutOfMemoryError


def _check_reachable(address: str) -> None:
    """Raise `ClusterUnavailable` if nothing listens at the address; Ray itself would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host:
        return  # such as "auto"
    try:
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_TIMEOUT_S).close()
    except (OSError, ValueError, OverflowError) as error:
        raise ClusterUnavailable(f"no Ray at {address}: {error}") from error


def _ray() -> Any:
    # Ray reports usage statistics by default; this program sends nothing anywhere.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ModuleNotFoundError:
        raise ClusterUnavailable("a cluster needs the package ray (pip install 'taiji[cluster]')") from None
    return ray


def open_pool(workers: int | None, address: str | None) -> WorkerPool:
    """Return a pool: this process, processes of this machine, or a Ray cluster."""
    if address is not None:
        return RayPool(address, workers if address == LOCAL else None)
    return InlinePool() if workers == 1 else LocalPool(workers)
