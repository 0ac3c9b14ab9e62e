"""The state of the server."""

from __future__ import annotations

from typing import Literal

from taiji.server.contract.messages import View


class EngineLoad(View):
    """How busy the engine processes are."""

    workers: int
    busy: int
    queued: int


class Health(View):
    """The state of the server; `refused` counts errors by code."""

    status: Literal["ok"] = "ok"
    version: str
    protocol: int
    database: str
    tables: int
    sockets: int
    engines: EngineLoad
    refused: dict[str, int]
    uptime_s: float
