"""Metrics for Prometheus, on a port of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING
from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, start_http_server
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from taiji.server.contract.events import Moved
from taiji.server.store.leased_ownership import LeasedOwnership

if TYPE_CHECKING:
    from taiji.server.domain.table import Event
    from taiji.server.live.room import Room
    from taiji.server.web.context import AppContext

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class StateCollector(Collector):
    """Reads the state of the server at the time of a scrape."""

    def __init__(self, context: AppContext) -> None:
        self._context = context

    def collect(self) -> Iterable[Metric]:
        """Return the current values."""
        context = self._context
        engines = context.engines.stats()
        gauges = {
            "taiji_sockets": ("Open WebSockets.", context.sockets.count),
            "taiji_rooms": ("Tables in memory.", len(context.rooms.rooms)),
            "taiji_clock_timers": ("Clocks that are waited for.", context.rooms.timer_count),
            "taiji_writes_queued": ("Writes that are not on disk yet.", context.store.pending_writes),
            "taiji_engine_workers": ("Engine processes at most.", engines["workers"]),
            "taiji_engines_busy": ("Engine processes at work.", engines["busy"]),
            "taiji_engine_jobs_queued": ("Jobs that wait for an engine.", engines["queued"]),
            "taiji_pushes_queued": ("Web pushes that wait.", context.pushes.queued),
            "taiji_uptime_seconds": ("Seconds since the start.", context.uptime_s),
        }
        for name, (text, value) in gauges.items():
            yield GaugeMetricFamily(name, text, value)
        queued = GaugeMetricFamily("taiji_tasks_queued", "Tasks of strangers that wait.", labels=["kind"])
        for kind, count in context.tasks.queued().items():
            queued.add_metric([kind], count)
        yield queued
        refused = CounterMetricFamily("taiji_refused", "Refusals by code.", labels=["code"])
        for code, count in dict(context.rate_limiter.refused).items():
            refused.add_metric([code], count)
        yield refused
        yield from self._tasks()
        if not context.peers.is_alone:
            yield from self._cluster()

    def _cluster(self) -> Iterator[Metric]:
        peers, ownership = self._context.peers, self._context.store.ownership
        if isinstance(ownership, LeasedOwnership):
            stats = ownership.stats()
            yield GaugeMetricFamily("taiji_servers", "Servers that share the database.", stats["nodes"])
            yield GaugeMetricFamily("taiji_shards", "Shards of games that this server owns.", stats["shards"])
        connected = GaugeMetricFamily("taiji_bus_connected", "Whether the bus can be reached.")
        connected.add_metric([], peers.bus.is_connected)
        yield connected
        requests = CounterMetricFamily("taiji_peer_requests", "Requests to other servers.", labels=["kind"])
        for kind, count in peers.counts.items():
            requests.add_metric([kind.replace(" ", "-")], count)
        yield requests

    def _tasks(self) -> Iterator[Metric]:
        running = GaugeMetricFamily("taiji_task_running", "Whether a background task runs.", labels=["task"])
        failures = CounterMetricFamily(
            "taiji_task_failures", "Failures of a background task.", labels=["task"]
        )
        for name, task in self._context.supervisor.health().items():
            running.add_metric([name], task.running)
            failures.add_metric([name], task.failures)
        yield running
        yield failures


class Metrics:
    """Counters and histograms, and the server that shows them."""

    def __init__(self, context: AppContext) -> None:
        self.registry = CollectorRegistry()
        self._server: WSGIServer | None = None
        self._requests = Counter(
            "taiji_requests", "Requests by route.", ("method", "route", "status"), registry=self.registry
        )
        self._request_seconds = Histogram(
            "taiji_request_seconds", "Time to answer.", buckets=SECONDS, registry=self.registry
        )
        self._moves = Counter("taiji_moves", "Moves on disk.", registry=self.registry)
        self._commit_seconds = Histogram(
            "taiji_commit_seconds",
            "Time from queueing a write until it is on disk.",
            buckets=SECONDS,
            registry=self.registry,
        )
        self.registry.register(StateCollector(context))
        ProcessCollector(registry=self.registry)
        context.rooms.listeners.append(self._on_events)
        context.store.on_written = self._commit_seconds.observe

    def _on_events(self, room: Room, events: list[Event]) -> None:
        self._moves.inc(sum(isinstance(event.data, Moved) for event in events))

    def count_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request; the duration of sockets says nothing."""
        self._requests.labels(method, route, status).inc()
        if status != 101:
            self._request_seconds.observe(seconds)

    def close(self) -> None:
        """Leave the port to the next server; this waits for up to half a second."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()

    def serve(self, host: str, port: int) -> None:
        """Show the metrics to all who can reach the port, until the server stops."""
        try:
            self._server, _ = start_http_server(port, host, self.registry)
        except OSError as error:
            raise OSError(error.errno, f"cannot listen at {host}:{port}: {error.strerror}") from error
