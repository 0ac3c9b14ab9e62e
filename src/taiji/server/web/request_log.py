"""The id of every request, its line in the log and its place in the metrics: never its path."""

from __future__ import annotations

import logging
import secrets
import time
from typing import TYPE_CHECKING

from taiji.server.web.logs import REQUEST_ID

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from taiji.server.web.metrics import Metrics

log = logging.getLogger("taiji.requests")

METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
REQUEST_ID_HEADER = b"x-request-id"


def route_template(scope: Scope) -> str:
    """Return the template of the route that served a request, which holds nothing that a stranger typed."""
    return getattr(scope.get("route"), "path", None) or "none"


class RequestLogMiddleware:
    """Gives each request an id, which its answer and every line of the log about it carry."""

    def __init__(self, app: ASGIApp, metrics: Metrics | None) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request or socket on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        identity = secrets.token_hex(8)
        REQUEST_ID.set(identity)
        status = 0

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), (REQUEST_ID_HEADER, identity.encode())]
            elif message["type"] == "websocket.accept":
                status = 101
            await send(message)

        try:
            await self._app(scope, receive, watched)
        finally:
            self._finish(scope, status, time.perf_counter() - began)

    def _finish(self, scope: Scope, status: int, seconds: float) -> None:
        method = scope.get("method", "WEBSOCKET") if scope["type"] == "http" else "WEBSOCKET"
        method = method if method in METHODS or method == "WEBSOCKET" else "OTHER"
        route = route_template(scope)
        if self._metrics is not None:
            self._metrics.count_request(method, route, status, seconds)
        if log.isEnabledFor(logging.INFO):
            fields = {"method": method, "route": route, "status": status, "seconds": round(seconds, 4)}
            log.info("%s %s %d in %.4f s", *fields.values(), extra={"fields": fields})
