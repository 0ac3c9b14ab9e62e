"""Where games are played: a pool of workers behind an interface, here processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Protocol, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

MOST_ATTEMPTS = 3
"""How often a task is tried whose worker died."""


class PoolError(RuntimeError):
    """A task that killed every worker that tried it."""


class Pool(Protocol):
    """Does tasks somewhere and hands back each result once, in the order in which they finish."""

    def run(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[tuple[Task, Result]]:
        """Do the work for each task; a task whose worker is lost is done again."""
        ...

    def close(self) -> None:
        """End the workers."""
        ...


class InlinePool:
    """Does every task here and now; for tests, and for one worker."""

    def run(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[tuple[Task, Result]]:
        """Do the work for each task in turn."""
        for task in tasks:
            yield task, work(task)

    def close(self) -> None:
        """Do nothing."""


class LocalPool:
    """Processes of this machine, one task each at a time; tasks are drawn only as workers become free."""

    def __init__(self, workers: int | None = None) -> None:
        if workers is not None and workers < 1:
            raise ValueError(f"{workers} workers: a pool needs at least one")
        self._workers = workers or os.cpu_count() or 1
        self._executor: ProcessPoolExecutor | None = None

    def run(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[tuple[Task, Result]]:
        """Do the work for each task in the order in which workers become free."""
        source = iter(tasks)
        attempts: dict[int, int] = {}
        running: dict[Future[Result], tuple[int, Task]] = {}
        waiting: list[tuple[int, Task]] = []
        number = 0

        def feed() -> None:
            nonlocal number
            while len(running) < self._workers:
                if not waiting:
                    fresh = list(islice(source, 1))
                    if not fresh:
                        return
                    waiting.append((number, fresh[0]))
                    number += 1
                key, task = waiting.pop(0)
                attempts[key] = attempts.get(key, 0) + 1
                running[self._pool().submit(work, task)] = (key, task)

        feed()
        while running:
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                key, task = running.pop(future)
                try:
                    result = future.result()
                except BrokenProcessPool:
                    # All tasks in flight fail together when one worker dies: each is tried again.
                    self._abandon()
                    if attempts[key] >= MOST_ATTEMPTS:
                        raise PoolError(f"a worker died {MOST_ATTEMPTS} times at {task!r:.200}") from None
                    waiting.append((key, task))
                    continue
                yield task, result
            feed()

    def _pool(self) -> ProcessPoolExecutor:
        if self._executor is None:
            context = multiprocessing.get_context("spawn")
            self._executor = ProcessPoolExecutor(self._workers, mp_context=context)
        return self._executor

    def _abandon(self) -> None:
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._executor = None

    def close(self) -> None:
        """End the workers without waiting for what they do."""
        if self._executor is not None:
            processes = list((self._executor._processes or {}).values())
            self._executor.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()
            self._executor = None
