"""ASGI middleware around every answer: security headers, and an answer also to what nobody expected."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from starlette.datastructures import MutableHeaders

from taiji.server.contract.errors import ApiError, ErrorResponse
from taiji.server.identity.origins import is_secure_scope
from taiji.server.web.request_log import route_template

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from taiji.server.settings import ServerSettings

log = logging.getLogger("taiji.server")

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; media-src 'self' data:; manifest-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
SECURITY_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
STARTS = ("http.response.start", "websocket.accept", "websocket.http.response.start")
INTERNAL_ERROR = 1011


async def send_error(scope: Scope, send: Send, error: ApiError) -> None:
    """Answer a request or a socket that is not accepted yet."""
    kind = "http" if scope["type"] == "http" else "websocket.http"
    if kind != "http" and "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1008})
        return
    body = ErrorResponse(error=error.body()).model_dump_json().encode()
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    if error.retry_after_s is not None:
        headers.append((b"retry-after", str(error.retry_after_s).encode()))
    await send({"type": f"{kind}.response.start", "status": error.status, "headers": headers})
    await send({"type": f"{kind}.response.body", "body": body})


class SecurityHeadersMiddleware:
    """Adds the security headers to every answer; what the API says is not cached unless it says so."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request or socket on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        added = dict(SECURITY_HEADERS)
        if scope["path"].startswith("/api/"):
            added["Cache-Control"] = "no-store"
        if self._settings.hsts_s and is_secure_scope(scope, self._settings):
            added["Strict-Transport-Security"] = f"max-age={self._settings.hsts_s}; includeSubDomains"
        accepted = False

        async def with_headers(message: Message) -> None:
            nonlocal accepted
            if message["type"] in STARTS:
                accepted = True
                message.setdefault("headers", [])
                headers = MutableHeaders(scope=message)
                for name, value in added.items():
                    headers.setdefault(name, value)
            elif message["type"] == "websocket.close" and not accepted:
                # No route: the bare refusal of the web server would have no headers.
                await send_error(scope, with_headers_of_refusal, ApiError("not-found"))
                return
            await send(message)

        async def with_headers_of_refusal(message: Message) -> None:
            await (send(message) if message["type"] == "websocket.close" else with_headers(message))

        await self._app(scope, receive, with_headers)


class UnexpectedErrorMiddleware:
    """Answers 500 if the application fails, and logs why."""

    def __init__(self, app: ASGIApp, count: Callable[[str], None]) -> None:
        self._app = app
        self._count = count

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request or socket on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except Exception:
            log.exception("%s failed", route_template(scope))
            self._count("failed")
            if not started:
                await send_error(scope, send, ApiError("failed"))
            elif scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": INTERNAL_ERROR})
