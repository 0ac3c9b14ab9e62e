"""What is refused at the edge: unknown hosts, long paths, large bodies, and texts that cannot be stored."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from taiji.server.contract.errors import ApiError
from taiji.server.contract.messages import MAX_BODY_BYTES
from taiji.server.identity.origins import is_allowed_host
from taiji.server.web.middleware import send_error

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from taiji.server.settings import ServerSettings

MAX_PATH_BYTES = 2000
MAX_QUERY_BYTES = 4000
MAX_HEADER_BYTES = 32_768
BAD_TEXT = re.compile("[\x00\ud800-\udfff]")
"""NUL, which PostgreSQL cannot store, and half of a surrogate pair, which is not a character."""
ESCAPED = re.compile(rb"\\u(?:0000|d[89a-f])", re.IGNORECASE)


class RequestCheckMiddleware:
    """Checks requests and sockets before any route sees them."""

    def __init__(self, app: ASGIApp, settings: ServerSettings, count: Callable[[str], None]) -> None:
        self._app = app
        self._settings = settings
        self._count = count

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request or socket on, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        try:
            self._check_head(scope)
            if scope["type"] == "http":
                receive = await _checked_body(scope, receive)
        except ApiError as error:
            self._count(error.code)
            await send_error(scope, send, error)
            return
        await self._app(scope, receive, send)

    def _check_head(self, scope: Scope) -> None:
        if sum(len(name) + len(value) for name, value in scope["headers"]) > MAX_HEADER_BYTES:
            raise ApiError("headers-too-large")
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
            or b"%00" in scope["query_string"]
            or any(b"\x00" in value for _, value in scope["headers"])
        ):
            raise ApiError("bad-text")


async def _checked_body(scope: Scope, receive: Receive) -> Receive:
    """Read a body up to its limit and check its text; return what the application receives instead."""
    length = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    if length.isdigit() and int(length[:20]) > MAX_BODY_BYTES:
        raise ApiError("too-large")
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            break
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > MAX_BODY_BYTES:
            raise ApiError("too-large")
    check_json_text(body)
    sent = False

    async def replay() -> Message:
        nonlocal sent
        if sent:
            return await receive()
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


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
