"""Worker pools: one interface, and the processes of this machine behind it."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Protocol, TypeVar

from taiji.arena.system import interrupts_blocked

Task = TypeVar("Task")
Result = TypeVar("Result")

MAX_ATTEMPTS = 3
"""Maximum attempts at a task whose worker crashed."""


class PoolError(ChildProcessError):
    """A task whose worker crashed at every attempt."""


class WorkerPool(Protocol):
    """Runs tasks and yields each result once, in the order of completion."""

    @property
    def workers(self) -> int:
        """Number of tasks that run at the same time."""
        ...

    def run(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[tuple[Task, Result]]:
        """Call `work` for each task; a task whose worker is lost runs again."""
        ...

    def close(self) -> None:
        """Stop the workers."""
        ...


class InlinePool:
    """Runs every task in this process, one after another."""

    workers = 1

    def run(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[tuple[Task, Result]]:
        """Call `work` for each task in turn."""
        for task in tasks:
            yield task, work(task)

    def close(self) -> None:
        """Do nothing."""


class LocalPool:
    """Processes of this machine with one task each; a task is taken only when a worker is free.

    Each worker is an executor with one process, so that a crash is the fault of its own task only.
    """

    def __init__(self, workers: int | None = None) -> None:
        if workers is not None and workers < 1:
            raise ValueError(f"{workers} workers: a pool needs at least one")
        self.workers = workers or os.cpu_count() or 1
        self._free: list[ProcessPoolExecutor | None] = [None] * self.workers
        self._busy: list[ProcessPoolExecutor] = []
        self._closed = 0
        """Number of calls to `close`; a `run` that sees it change gives up."""

    def run(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[tuple[Task, Result]]:
        """Do the work for each task in the order in which workers become free."""
        opened = self._closed
        source = iter(tasks)
        again: list[tuple[Task, int]] = []
        running: dict[Future[Result], tuple[ProcessPoolExecutor, Task, int]] = {}

        def feed() -> None:
            while self._free:
                task, attempt = again.pop() if again else (next(source, _NO_TASK), 1)
                if isinstance(task, _NoTask):
                    return
                worker = self._free.pop() or _new_worker()
                self._busy.append(worker)
                with interrupts_blocked():
                    future = worker.submit(work, task)
                running[future] = (worker, task, attempt)

        feed()
        while running:
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                if self._closed != opened:
                    return
                worker, task, attempt = running.pop(future)
                self._busy.remove(worker)
                try:
                    result = future.result()
                except BrokenProcessPool:
                    worker.shutdown(wait=False)
                    self._free.append(None)
                    if attempt >= MAX_ATTEMPTS:
                        raise PoolError(f"a worker crashed {MAX_ATTEMPTS} times at {task!r:.200}") from None
                    again.append((task, attempt + 1))
                    continue
                self._free.append(worker)
                yield task, result
            feed()

    def close(self) -> None:
        """Stop the workers without waiting for their tasks."""
        self._closed += 1
        for worker in (*self._free, *self._busy):
            if worker is not None:
                for process in list((worker._processes or {}).values()):
                    process.terminate()
                worker.shutdown(cancel_futures=True)
        self._free, self._busy = [None] * (len(self._free) + len(self._busy)), []


class _NoTask:
    """Marks the end of the tasks."""


_NO_TASK = _NoTask()


def _new_worker() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(
        1, mp_context=multiprocessing.get_context("spawn"), initializer=_exit_with_parent
    )


def _exit_with_parent() -> None:
    """Exit a worker when its parent process ends, so that a killed run leaves no processes behind."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
