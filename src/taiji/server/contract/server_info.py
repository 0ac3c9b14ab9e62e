"""The state of the server."""

from __future__ import annotations

from typing import Literal

from taiji.server.contract.messages import View


class EngineLoad(View):
    """How busy the engine processes are."""

    workers: int
    busy: int
    queued: int


class TaskHealth(View):
    """A background task: `error` is the type of the failure after which it waits for its restart."""

    running: bool
    failures: int
    error: str | None


class Health(View):
    """The state of the server; `refused` counts errors by code.

    The status is `degraded` while a background task waits for its restart.
    """

    status: Literal["ok", "degraded"] = "ok"
    version: str
    protocol: int
    database: str
    tables: int
    sockets: int
    engines: EngineLoad
    tasks: dict[str, TaskHealth]
    refused: dict[str, int]
    uptime_s: float


class Ready(View):
    """The database can be read and written, and the server takes requests."""

    status: Literal["ok"] = "ok"
