"""The web server's own refusals of malformed requests, in the form and with the headers of all answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from taiji.server.contract.errors import ApiError, ErrorResponse
from taiji.server.web.middleware import SECURITY_HEADERS

if TYPE_CHECKING:
    from websockets.http11 import Request, Response


class HttpProtocol(H11Protocol):
    """Answers what is not HTTP."""

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
