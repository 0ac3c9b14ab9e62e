"""A server inside the test's process, and browsers that talk to it without a network; time is set by hand."""

from __future__ import annotations

import asyncio
import itertools
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookies import SimpleCookie
from typing import Any

import httpx
from starlette.websockets import WebSocketDisconnect

from taiji.server.settings import ServerSettings
from taiji.server.web.app import create_app
from taiji.server.web.context import AppContext
from tests.server.databases import prepare_sqlite

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it asks for another HTTP client
    from starlette.testclient import TestClient, WebSocketDenialResponse, WebSocketTestSession

__all__ = [
    "Browser",
    "Inside",
    "SetTime",
    "Streaming",
    "TestClient",
    "WebSocketDenialResponse",
    "drain",
    "open_socket",
    "stolen",
]

PASSWORD = "correct horse battery"
HOST = "localhost:8321"


class SetTime:
    """A clock that stands still until a test moves it."""

    def __init__(self) -> None:
        self.at = 1_800_000_000_000

    def now(self) -> int:
        return self.at

    def advance(self, **units: float) -> None:
        factors = {"seconds": 1000, "minutes": 60_000, "hours": 3_600_000, "days": 86_400_000}
        self.at += int(sum(factors[unit] * count for unit, count in units.items()))

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(min(seconds, 0.05) if seconds < 60 else 3600)


class Inside:
    """A running application."""

    def __init__(self, url: str, *, real_time: bool = False, **settings: Any) -> None:
        self.time = SetTime()
        prepare_sqlite(url)
        chosen = ServerSettings(database_url=url, **{"engines": 0, "task_workers": 0, **settings})
        self.app = create_app(chosen, None if real_time else self.time)
        self.context: AppContext = self.app.state.context
        self._first = TestClient(self.app)

    @contextmanager
    def running(self) -> Iterator[Inside]:
        with self._first:
            try:
                yield self
            finally:
                self.run(self._close_streams)

    async def _close_streams(self) -> None:
        self.context.close_streams()

    def browser(self, address: str = "192.0.2.1", **options: Any) -> Browser:
        return Browser(self, address, **options)

    def run(self, function: Any, *arguments: Any) -> Any:
        """Run a coroutine function on the server's event loop."""
        assert self._first.portal is not None
        return self._first.portal.call(function, *arguments)

    def client(self, address: str, scheme: str, host: str) -> TestClient:
        made = TestClient(
            self.app, f"{scheme}://{host}", client=(address, 5000), raise_server_exceptions=False
        )
        made.portal = self._first.portal
        return made


class Browser:
    """Somebody with cookies and a CSRF token."""

    def __init__(
        self,
        inside: Inside,
        address: str,
        *,
        scheme: str = "http",
        host: str = HOST,
        token: str | None = None,
    ) -> None:
        self.client = inside.client(address, scheme, host)
        self.cookies: dict[str, str] = {}
        self._name = "__Host-taiji_session" if scheme == "https" else "taiji_session"
        self._ids = itertools.count()
        if token is not None:
            self.client.headers["Authorization"] = f"Bearer {token}"
        else:
            self.visit()

    @property
    def cookie(self) -> str:
        return self.cookies[self._name]

    @cookie.setter
    def cookie(self, value: str) -> None:
        self.cookies = {self._name: value}

    def _cookie_header(self) -> dict[str, str]:
        return {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        headers = {**self._cookie_header(), **options.pop("headers", {})}
        answer: httpx.Response = self.client.request(method, path, headers=headers, **options)
        self.client.cookies.clear()
        for line in answer.headers.get_list("set-cookie"):
            for name, morsel in SimpleCookie(line).items():
                self.cookies.pop(name, None)
                if morsel["max-age"] != "0":
                    self.cookies[name] = morsel.value
        return answer

    def headers_of_change(self) -> dict[str, str]:
        """The headers of a request that changes something, with JSON."""
        return {**self._cookie_header(), "Content-Type": "application/json"}

    def visit(self) -> dict[str, Any]:
        """Load the page."""
        answer = self.request("GET", "/api/me")
        assert answer.status_code == 200, answer.text
        me: dict[str, Any] = answer.json()
        self.client.headers["X-CSRF-Token"] = me["csrf"]
        return me

    @property
    def account(self) -> str | None:
        account = self.request("GET", "/api/me").json()["account"]
        return account and account["name"]

    def ask(self, method: str, path: str, body: Any = None, **options: Any) -> tuple[int, Any]:
        """Return the status, and the content or the code of the error."""
        answer = self.request(method, path, json=body, **options)
        if answer.is_error:
            return answer.status_code, answer.json()["error"]["code"]
        content = answer.json() if answer.content else None
        if isinstance(content, dict) and content.get("csrf"):
            self.client.headers["X-CSRF-Token"] = content["csrf"]
        return answer.status_code, content

    def get(self, path: str) -> Any:
        status, content = self.ask("GET", path)
        assert status == 200, content
        return content

    def post(self, path: str, body: Any = None) -> Any:
        status, content = self.ask("POST", path, body)
        assert status in (200, 201), content
        return content

    def register(self, name: str) -> Any:
        return self.post("/api/account", {"name": name, "password": PASSWORD})

    def sign_in(self, name: str, password: str = PASSWORD) -> tuple[int, Any]:
        return self.ask("POST", "/api/session", {"name": name, "password": password})

    def sign_out(self) -> None:
        assert self.request("DELETE", "/api/session").status_code == 204
        self.visit()

    def table(self, **wish: Any) -> Any:
        return self.post("/api/tables", {"game": "taiji:size=4", "opponent": "open", **wish})

    def move(self, table_id: str, ply: int, move: int) -> tuple[int, Any]:
        body = {"id": f"m{next(self._ids)}", "ply": ply, "move": move}
        return self.ask("POST", f"/api/tables/{table_id}/move", body)

    def socket(self, path: str, **headers: str | bytes) -> WebSocketTestSession:
        return open_socket(self.client, path, {**self._cookie_header(), **headers})


def open_socket(
    client: TestClient, path: str, headers: dict[str, str | bytes] | None = None
) -> WebSocketTestSession:
    """Open a socket to the client's host."""
    scheme = "wss" if client.base_url.scheme == "https" else "ws"
    address = f"{scheme}://{client.base_url.netloc.decode()}{path}"
    return client.websocket_connect(address, headers=headers or {})


def drain(socket: WebSocketTestSession) -> int:
    """Receive until the server closes, and return the code."""
    try:
        while True:
            socket.receive_json()
    except WebSocketDisconnect as closed:
        return closed.code


class Streaming:
    """A request whose answer goes on until the server ends it."""

    def __init__(self, browser: Browser, path: str) -> None:
        self.text = ""

        def read() -> None:
            self.text = browser.request("GET", path).text

        self._thread = threading.Thread(target=read, daemon=True)
        self._thread.start()

    def ended(self, timeout: float = 30) -> bool:
        self._thread.join(timeout)
        return not self._thread.is_alive()


def stolen(inside: Inside, browser: Browser) -> Browser:
    """A thief with a copy of the browser's cookie."""
    thief = inside.browser("198.51.100.9")
    thief.cookie = browser.cookie
    return thief
