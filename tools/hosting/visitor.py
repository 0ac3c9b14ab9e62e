"""A visitor who plays through a proxy as a browser would, and checks what the proxy must not break."""

from __future__ import annotations

import json
import socket
import ssl
from dataclasses import dataclass
from pathlib import Path

import httpx
from websockets.sync.client import connect

PATIENCE_S = 60
NAME = "games.example"


@dataclass(frozen=True)
class Front:
    """Where a proxy listens; with a certificate it speaks TLS as the public name."""

    port: int
    certificate: Path | None = None

    @property
    def origin(self) -> str:
        """The address that browsers show."""
        return f"https://{NAME}" if self.certificate else f"http://localhost:{self.port}"

    @property
    def tls(self) -> ssl.SSLContext | None:
        """The TLS settings of a browser that trusts the certificate."""
        return ssl.create_default_context(cafile=self.certificate) if self.certificate else None

    def client(self) -> httpx.Client:
        """Return a client with cookies that resolves the public name to this machine."""
        resolved = self.origin.replace(NAME, f"127.0.0.1:{self.port}")
        headers = {"Host": NAME if self.certificate else f"localhost:{self.port}"}
        client = httpx.Client(base_url=resolved, headers=headers, verify=self.tls or True, timeout=PATIENCE_S)
        if self.certificate:
            client.event_hooks["request"] = [_name_the_host]
        return client


def _name_the_host(request: httpx.Request) -> None:
    request.extensions["sni_hostname"] = NAME


def check(front: Front) -> list[str]:
    """Play a move against the computer through the proxy; return what was seen to work."""
    with front.client() as client:
        page = client.get("/")
        assert page.status_code == 200, page
        assert page.headers["content-security-policy"].startswith("default-src 'none'")
        assert client.get("/api/ready").status_code == 200
        me = client.get("/api/me")
        cookie = me.headers["set-cookie"]
        assert ("Secure" in cookie) == (front.certificate is not None), cookie
        session = cookie.partition(";")[0]
        headers = {"X-CSRF-Token": me.json()["csrf"], "Origin": front.origin, "Cookie": session}
        wanted = {"game": "taiji:size=5", "opponent": "computer", "level": 1, "colour": "light"}
        made = client.post("/api/tables", json=wanted, headers=headers)
        assert made.status_code == 201, made.text
        table = made.json()["id"]
        _move(front, table, session)
        with client.stream("GET", f"/api/tables/{table}/stream", headers={"Cookie": session}) as stream:
            first = json.loads(next(stream.iter_lines()))
            assert first["type"] == "snapshot", first
        refused = client.post("/api/records", content=b"x" * 400_000, headers=headers)
        assert refused.status_code == 413, refused
        strange = client.post(
            "/api/tables", json=wanted, headers={**headers, "Origin": "https://evil.example"}
        )
        assert strange.status_code == 403, strange
    return ["page", "readiness", "cookie", "move over a WebSocket", "stream", "413", "foreign origin refused"]


def _move(front: Front, table: str, session: str) -> None:
    """Move over the table's socket, and wait for the computer's answer."""
    address = f"{front.origin.replace('http', 'ws', 1)}/ws/tables/{table}?protocol=2"
    raw = socket.create_connection(("127.0.0.1", front.port), PATIENCE_S)
    headers = {"Cookie": session}
    with connect(
        address,
        sock=raw,
        ssl=front.tls,
        origin=front.origin,
        additional_headers=headers,  # type: ignore[arg-type]
    ) as ws:
        assert json.loads(ws.recv(PATIENCE_S))["type"] == "snapshot"
        ws.send(json.dumps({"type": "move", "id": "hosting-1", "ply": 0, "move": "c3/c4"}))
        moves = 0
        while moves < 2:
            frame = json.loads(ws.recv(PATIENCE_S))
            moves += frame["type"] == "event" and frame["event_type"] == "move"
