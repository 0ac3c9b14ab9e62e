"""What is refused at the edge: unknown hosts, long paths, large bodies, and texts that cannot be stored."""

from __future__ import annotations

import asyncio
import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes

from taiji.server.contract.errors import ApiError
from taiji.server.contract.messages import MAX_BODY_BYTES
from taiji.server.identity.auth_limits import ClientAddress
from taiji.server.identity.origins import is_allowed_host
from taiji.server.web.middleware import send_error

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from taiji.server.identity.limits import RateLimiter
    from taiji.server.settings import ServerSettings

MAX_PATH_BYTES = 2000
MAX_QUERY_BYTES = 4000
MAX_HEADER_BYTES = 32_768
BODY_TIMEOUT_S = 30.0
"""The time in which a body must arrive; 256 kB do so at 9 kB/s."""
BAD_TEXT = re.compile("[\x00\ud800-\udfff]")
"""NUL, which PostgreSQL cannot store, and half of a surrogate pair, which is not a character."""
ESCAPED = re.compile(rb"\\u(?:0000|d[89a-f])", re.IGNORECASE)


class RequestCheckMiddleware:
    """Checks requests and sockets before any route sees them."""

    def __init__(self, app: ASGIApp, settings: ServerSettings, limiter: RateLimiter) -> None:
        self._app = app
        self._settings = settings
        self._limiter = limiter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request or socket on, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        try:
            self._check_head(scope)
            address = ClientAddress.parse(scope["client"][0] if scope.get("client") else "?").address
            self._limiter.acquire("requests from one address", address)
            if scope["type"] == "http":
                receive = await self._checked_body(scope, receive, address)
        except ApiError as error:
            self._limiter.count(error.code)
            await send_error(scope, send, error)
            return
        await self._app(scope, receive, send)

    def _check_head(self, scope: Scope) -> None:
        if sum(len(name) + len(value) for name, value in scope["headers"]) > MAX_HEADER_BYTES:
            raise ApiError("headers-too-large")
        if {b"content-length", b"transfer-encoding"} <= {name for name, _ in scope["headers"]}:
            raise ApiError("bad-http")  # a proxy may read another body than this server
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        if len(hosts) != 1 or not is_allowed_host(hosts[0], self._settings):
            raise ApiError("unknown-host")
        if (
            len(scope.get("raw_path") or scope["path"]) > MAX_PATH_BYTES
            or len(scope["query_string"]) > MAX_QUERY_BYTES
        ):
            raise ApiError("too-long")
        if (
            BAD_TEXT.search(scope["path"])
            or has_bad_escapes(scope.get("raw_path") or b"")
            or has_bad_escapes(scope["query_string"])
            or any(b"\x00" in value for _, value in scope["headers"])
        ):
            raise ApiError("bad-text")

    async def _checked_body(self, scope: Scope, receive: Receive, address: str) -> Receive:
        """Read a body up to its limits and check its text; return what the application receives instead."""
        headers = dict(scope["headers"])
        if headers.keys().isdisjoint((b"content-length", b"transfer-encoding")):
            return receive  # most requests: no body can follow
        length = headers.get(b"content-length", b"0")
        if length.isdigit() and int(length[:20]) > MAX_BODY_BYTES:
            raise ApiError("too-large")
        try:
            async with asyncio.timeout(BODY_TIMEOUT_S):
                body = await _read_body(receive)
        except TimeoutError:
            raise ApiError("too-slow") from None
        if body:
            self._limiter.acquire("body bytes from one address", address, len(body))
        check_json_text(body)
        sent = False

        async def replay() -> Message:
            nonlocal sent
            if sent:
                return await receive()
            sent = True
            return {"type": "http.request", "body": body, "more_body": False}

        return replay


def has_bad_escapes(text: bytes) -> bool:
    """Return whether a path or query, as it was sent, hides NUL or bytes that are not UTF-8."""
    if b"%" not in text:
        return False
    try:
        return "\x00" in unquote_to_bytes(text).decode()
    except UnicodeDecodeError:
        return True


async def _read_body(receive: Receive) -> bytes:
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            break
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > MAX_BODY_BYTES:
            raise ApiError("too-large")
    return body


def check_json_text(body: bytes) -> None:
    """Raise `ApiError` unless a body is UTF-8 without NUL and lone surrogates, also escaped ones.

    Python would read UTF-16 and encoded surrogates in JSON as well.
    """
    try:
        text = body.decode()
    except UnicodeDecodeError:
        raise ApiError("bad-json", "the body is not UTF-8") from None
    if "\x00" in text:
        raise ApiError("bad-text")
    if ESCAPED.search(body):
        try:
            data: Any = json.loads(text)
        except (ValueError, RecursionError):
            return  # the route says what is wrong
        if has_bad_text(data):
            raise ApiError("bad-text")


def has_bad_text(data: Any) -> bool:
    """Return whether a text in JSON data, also a key, has NUL or half of a surrogate pair."""
    waiting = [data]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            if BAD_TEXT.search(value):
                return True
        elif isinstance(value, dict):
            waiting += [*value, *value.values()]
        elif isinstance(value, list):
            waiting += value
    return False
