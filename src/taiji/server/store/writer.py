"""The writer: a thread that commits many jobs at once, outside the event loop.

A commit waits for the disk whatever it contains, so all jobs that arrive during one commit share the next.
The future of a job resolves only after its commit. Every commit renews the lease of the server in the same
transaction, and fails as a whole if another server has taken over.
"""

from __future__ import annotations

import asyncio
import itertools
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import Connection, Engine

if TYPE_CHECKING:
    from taiji.server.store.ownership import Ownership

Result = TypeVar("Result")

MAX_JOBS_PER_COMMIT = 256


class StoreError(Exception):
    """The job was not written, for instance because the database is closed."""


class BatchableJob:
    """A job of which many can be executed together; alone it is called like any other."""

    def __call__(self, connection: Connection) -> None:
        """Execute this job."""
        self.execute_many(connection, [self])

    @classmethod
    def execute_many(cls, connection: Connection, jobs: Sequence[Any]) -> None:
        """Execute all of these jobs."""
        raise NotImplementedError


@dataclass(slots=True)
class _Job:
    work: Callable[[Connection], Any]
    future: asyncio.Future[Any]
    token: str | None
    """The server that decided it, which may have been replaced since."""


class Writer:
    """Runs jobs in one thread with one connection, in the order of submission."""

    def __init__(self, engine: Engine, ownership: Ownership | None = None) -> None:
        self._engine = engine
        self._ownership = ownership
        self._queue: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="taiji-writer", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._left_over: _Job | None = None
        self._closed = False

    def start(self) -> None:
        """Start the thread; call it on the event loop that awaits the results."""
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    def submit(self, work: Callable[[Connection], Result]) -> asyncio.Future[Result]:
        """Queue a job; the future resolves when it is on disk."""
        assert self._loop is not None
        future: asyncio.Future[Result] = self._loop.create_future()
        if self._closed:
            future.set_exception(StoreError("the database is closed"))
        else:
            token = None if self._ownership is None else self._ownership.token
            self._queue.put(_Job(work, future, token))
        return future

    async def close(self) -> None:
        """Write the queued jobs, and stop."""
        if not self._closed:
            self._closed = True
            self._queue.put(None)
            await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        connection: Connection | None = None
        closing = False
        while not closing:
            batch, closing = self._take()
            if not batch:
                continue
            try:
                connection = connection or self._engine.connect()
                outcomes = self._commit(connection, batch)
            except Exception as error:  # noqa: BLE001 - any failure of the database fails the batch, never the thread
                outcomes = [(job, None, error) for job in batch]
                if connection is not None:
                    connection.invalidate()
                    connection.close()
                    connection = None
            self._resolve(outcomes)
        if connection is not None:
            connection.close()

    def _take(self) -> tuple[list[_Job], bool]:
        """Return the next jobs, all decided under one lease, and whether they are the last."""
        job = self._left_over or self._queue.get()
        self._left_over = None
        batch: list[_Job] = []
        while job is not None:
            if batch and job.token != batch[0].token:
                self._left_over = job
                return batch, False
            batch.append(job)
            if len(batch) == MAX_JOBS_PER_COMMIT:
                return batch, False
            try:
                job = self._queue.get_nowait()
            except queue.Empty:
                return batch, False
        return batch, True

    def _commit(
        self, connection: Connection, batch: list[_Job]
    ) -> list[tuple[_Job, Any, BaseException | None]]:
        try:
            with self._transaction(connection, batch):
                return self._run_batch(connection, batch)
        except Exception:
            if connection.invalidated:
                raise
        # One job failed and the batch was rolled back: run each job in its own savepoint.
        outcomes: list[tuple[_Job, Any, BaseException | None]] = []
        with self._transaction(connection, batch):
            for job in batch:
                try:
                    with connection.begin_nested():
                        outcomes.append((job, job.work(connection), None))
                except Exception as error:
                    if connection.invalidated:
                        raise
                    outcomes.append((job, None, error))
        return outcomes

    @contextmanager
    def _transaction(self, connection: Connection, batch: list[_Job]) -> Iterator[None]:
        """Renew the lease of the server that decided these jobs, in the transaction that writes them."""
        renewal = None
        with connection.begin():
            if self._ownership is not None:
                renewal = self._ownership.fence(connection, batch[0].token)
            yield
        if self._ownership is not None and renewal is not None:
            self._ownership.renewed(renewal)

    @staticmethod
    def _run_batch(connection: Connection, batch: list[_Job]) -> list[tuple[_Job, Any, BaseException | None]]:
        """Run all jobs in order; adjacent jobs of one batchable type together."""
        outcomes: list[tuple[_Job, Any, BaseException | None]] = []
        for kind, group in itertools.groupby(batch, key=lambda job: type(job.work)):
            jobs = list(group)
            if issubclass(kind, BatchableJob):
                kind.execute_many(connection, [job.work for job in jobs])
                outcomes += [(job, None, None) for job in jobs]
            else:
                outcomes += [(job, job.work(connection), None) for job in jobs]
        return outcomes

    def _resolve(self, outcomes: list[tuple[_Job, Any, BaseException | None]]) -> None:
        def resolve() -> None:
            for job, result, error in outcomes:
                if job.future.cancelled():
                    continue
                if error is None:
                    job.future.set_result(result)
                else:
                    job.future.set_exception(error)

        assert self._loop is not None
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(resolve)
