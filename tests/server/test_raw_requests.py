"""Malformed requests over a socket: refused with a reason and all headers, never a 5xx."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import httpx

from taiji.server.web.middleware import SECURITY_HEADERS
from tests.server.running import Running
from tests.waiting import PATIENCE_S

GOOD = b"Host: localhost\r\nConnection: close\r\n\r\n"
HANDSHAKE = (
    b"Host: localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
RAW = [
    b"\x00\x01\x02\r\n\r\n",
    b"GET\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
    b"GET / HTTP/1.0\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: [\r\nConnection: close\r\n\r\n",
    b"GET / HTTP/1.1\r\nBad Header\r\n" + GOOD,
    b"GET / HTTP/1.1\r\nX: a\x00b\r\n" + GOOD,
    b"GET /a\x00b HTTP/1.1\r\n" + GOOD,
    b"GET /\xff\xfe HTTP/1.1\r\n" + GOOD,
    b"GET /a%00b.txt HTTP/1.1\r\n" + GOOD,
    b"GET /%ed%a0%80.txt HTTP/1.1\r\n" + GOOD,
    b"GET /" + b"a" * 5000 + b" HTTP/1.1\r\n" + GOOD,
    b"GET /" + b"a" * 300 + b".txt HTTP/1.1\r\n" + GOOD,
    b"GET /" + b"../" * 100 + b"etc/passwd HTTP/1.1\r\n" + GOOD,
    b"GET /..%2f..%2f..%2fetc%2fpasswd.txt HTTP/1.1\r\n" + GOOD,
    b"GET http://evil.example/api/me HTTP/1.1\r\n" + GOOD,
    b"OPTIONS * HTTP/1.1\r\n" + GOOD,
    b"CONNECT evil.example:443 HTTP/1.1\r\n" + GOOD,
    b"GET /" + b"?a=%00" + b" HTTP/1.1\r\n" + GOOD,
    b"GET / HTTP/1.1\r\nX: " + b"a" * 100_000 + b"\r\n" + GOOD,
    b"POST /api/tables HTTP/1.1\r\nContent-Length: -1\r\n" + GOOD,
    b"POST /api/tables HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n" + GOOD,
    b"POST /api/tables HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n" + GOOD + b"0\r\n\r\n",
    b"POST /api/tables HTTP/1.1\r\nTransfer-Encoding: chunked\r\n" + GOOD + b"zz\r\n",
    b"POST /api/tables HTTP/1.1\r\nOrigin: http://[\r\nContent-Length: 2\r\n" + GOOD + b"{}",
    b"GET /ws/lobby HTTP/1.1\r\nUpgrade: websocket\r\nHost: localhost\r\nConnection: upgrade\r\n\r\n",
    b"GET /ws/nothing HTTP/1.1\r\n" + HANDSHAKE,
    b"GET /ws/tables/%00 HTTP/1.1\r\n" + HANDSHAKE,
]

TWO_LENGTHS = (
    b"POST /api/me HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"0\r\n\r\nGET /api/me HTTP/1.1\r\nHost: localhost\r\n\r\n"
)
"""A request inside the body of another, for a proxy that counts; the server must not answer it."""

NOT_UTF_8 = b"\x81\x82\0\0\0\0\xff\xfe"
"""A frame of text that is none."""
INVALID_DATA = b"\x88\x02\x03\xef"
"""The frame that closes a socket with code 1007."""


def ask_raw(port: int, request: bytes) -> bytes:
    """Send bytes and return all that comes back."""
    with socket.create_connection(("127.0.0.1", port), 60) as connection:
        connection.sendall(request)
        answer = b""
        while part := connection.recv(65_536):
            answer += part
    return answer


def test_malformed_requests_are_refused_with_all_headers(tmp_path: Path) -> None:
    server = Running(f"sqlite:///{tmp_path / 'x.sqlite'}", "--engines=0")
    for request in RAW:
        head, _, body = ask_raw(server.port, request).partition(b"\r\n\r\n")
        status, *lines = head.decode("latin-1").split("\r\n")
        code = int(status.split()[1])
        assert 400 <= code < 500, (request[:80], status)
        sent = {line.partition(":")[0].lower(): line.partition(":")[2].strip() for line in lines}
        for name, value in SECURITY_HEADERS.items():
            assert sent.get(name.lower()) == value, (request[:80], name)
        if sent.get("content-type") == "application/json" and "transfer-encoding" not in sent:
            assert json.loads(body)["error"]["message"]
    answers = ask_raw(server.port, TWO_LENGTHS)
    assert answers.startswith(b"HTTP/1.1 400 ")
    assert answers.count(b"HTTP/1.1 ") == 1
    assert httpx.get(f"{server.url}/api/health", timeout=PATIENCE_S).json()["status"] == "ok"
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE_S) as connection:
        connection.sendall(b"GET /ws/lobby HTTP/1.1\r\n" + HANDSHAKE)
        answer = connection.recv(65_536)
        connection.sendall(NOT_UTF_8)
        while INVALID_DATA not in answer:
            part = connection.recv(65_536)
            assert part, "the server does not say what is wrong"
            answer += part
    assert server.stop() == 0
    assert server.errors == [], "a stranger can fill the disk with what is logged"
