"""The web server's own refusals of malformed requests, in the form and with the headers of all answers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from taiji.server.contract.errors import ApiError, ErrorResponse
from taiji.server.web.middleware import SECURITY_HEADERS

if TYPE_CHECKING:
    from uvicorn._types import ASGISendEvent
    from websockets.http11 import Request, Response


HEADER_TIMEOUT_S = 15.0
"""The time in which the head of a request must arrive."""
FIRST_REQUEST_S = 0.2
"""How long a server that stops waits for the request of a visitor who has just connected."""


class HttpProtocol(H11Protocol):
    """Answers what is not HTTP, and ends connections that do not finish the head of their request."""

    _head_timer: asyncio.TimerHandle | None = None
    _is_stopping = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._expect_head()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request; a kept connection has as long for its next head as for its first."""
        if self._is_between_requests and self._head_timer is None:
            self._expect_head()
        super().data_received(data)
        if not self._is_between_requests:
            self._stop_waiting()
        if self._is_stopping and self.cycle is not None:
            self.cycle.keep_alive = False

    def shutdown(self) -> None:
        """Close the connection after the current request, or after the first if that is on its way."""
        self._is_stopping = True
        if self.cycle is None:
            self.loop.call_later(FIRST_REQUEST_S, self._on_no_head)
        else:
            super().shutdown()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Leave the connection to the protocol of sockets: no other head is expected."""
        self._stop_waiting()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_waiting()
        super().connection_lost(exc)

    @property
    def _is_between_requests(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is None or cycle.response_complete

    def _expect_head(self) -> None:
        self._head_timer = self.loop.call_later(HEADER_TIMEOUT_S, self._on_no_head)

    def _stop_waiting(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _on_no_head(self) -> None:
        self._head_timer = None
        if self._is_between_requests and not self.transport.is_closing():
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """Refuse a request that cannot be parsed, and close the connection."""
        body = ErrorResponse(error=ApiError("bad-http").body()).model_dump_json().encode()
        added = {"Content-Type": "application/json", "Connection": "close", **SECURITY_HEADERS}
        headers = [(name.encode(), value.encode()) for name, value in added.items()]
        answer = h11.Response(status_code=400, headers=headers, reason=b"Bad Request")
        for event in (answer, h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


class SocketProtocol(WebSocketsSansIOProtocol):
    """Answers a handshake that is not one of a WebSocket."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        accept = self.conn.accept

        def accept_with_headers(request: Request) -> Response:
            response = accept(request)
            if response.status_code != 101:
                response.headers.update(SECURITY_HEADERS)
            return response

        self.conn.accept = accept_with_headers  # type: ignore[method-assign]

    async def send(self, message: ASGISendEvent) -> None:
        """Send a message; a handshake that got an answer of HTTP is complete, and no error in the log."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and self.close_sent:
            self.handshake_complete = True
