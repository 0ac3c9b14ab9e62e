"""A real server in its own process, and visitors that talk to it as browsers do."""

from __future__ import annotations

import itertools
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.server.loaded import FORKS
from tests.waiting import PATIENCE_S

TAIJI = Path(sys.executable).with_name("taiji")


STARTED: list[Running | Visitor] = []
"""Every server and visitor of the run, so that a failing test leaves none behind."""


def end_since(count: int) -> None:
    """End the visitors and servers that were started after the first `count`, and close their pipes."""
    while len(STARTED) > count:
        started = STARTED.pop()
        if isinstance(started, Visitor):
            started.close()
        else:
            started.kill()


class Running:
    """A server process; `stop` ends it kindly, `kill` does not.

    Where nothing is said against it, it is forked from a process that has loaded the program.
    """

    def __init__(self, database_url: str, *options: str, port: int = 0, forked: bool = True) -> None:
        self.database_url = database_url
        command = [
            str(TAIJI), "serve", "--no-open", f"--port={port}", f"--database-url={database_url}", *options,
        ]  # fmt: skip
        began = time.monotonic()
        environment = {**os.environ, "TAIJI_TRACEBACK": "1"}
        self.process = (
            FORKS.start(command, environment)
            if forked and FORKS.adopts_orphans
            else subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
            )
        )
        STARTED.append(self)
        self.errors: list[str] = []
        self._collecting = threading.Thread(target=self._collect, daemon=True)
        self._collecting.start()
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+", line)
        if not found:
            self.kill()
        assert found, f"the server did not start: {line!r} {''.join(self.errors)}"
        self.url = found[0].rstrip("/")
        self.port = int(self.url.rpartition(":")[2])
        self.start_seconds = time.monotonic() - began

    def _collect(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors.append(line)

    def stop(self, number: signal.Signals = signal.SIGINT) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(PATIENCE_S)
        self._close()
        return code

    def _close(self) -> None:
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self.process.stdout.close()
        self._collecting.join(PATIENCE_S)
        self.process.stderr.close()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE_S)
        self._close()


class Visitor:
    """Somebody with a browser of their own; `cookie` is one of version 0.1."""

    def __init__(self, url: str, *, token: str | None = None, cookie: str | None = None) -> None:
        self.url = url
        STARTED.append(self)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        cookies = {"taiji_visitor": cookie} if cookie else {}
        self.client = httpx.Client(base_url=url, timeout=PATIENCE_S, headers=headers, cookies=cookies)
        me = self.client.get("/api/me").json()
        if token is None:
            self.client.headers["X-CSRF-Token"] = me["csrf"]
        self._ids = itertools.count()
        self._prefix = os.urandom(4).hex()

    def close(self) -> None:
        self.client.close()

    def new_id(self) -> str:
        return f"{self._prefix}-{next(self._ids)}"

    def get(self, path: str, **params: Any) -> Any:
        answer = self.client.get(path, params=params)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: dict[str, Any] | None = None, status: int = 200) -> Any:
        answer = self.client.post(path, json=body)
        assert answer.status_code == status, f"{answer.status_code}: {answer.text}"
        content = answer.json()
        if content.get("csrf"):  # a new session: registered or signed in
            self.client.headers["X-CSRF-Token"] = content["csrf"]
        return content

    def refused(self, path: str, body: dict[str, Any] | None = None, method: str = "POST") -> tuple[int, str]:
        answer = self.client.request(method, path, json=body)
        assert answer.is_error, answer.text
        return answer.status_code, answer.json()["error"]["code"]

    def table(self, **wish: Any) -> dict[str, Any]:
        made: dict[str, Any] = self.post("/api/tables", {"game": "taiji:size=4", **wish}, 201)
        return made

    def act(self, table_id: str, action: str, **body: Any) -> Any:
        return self.post(f"/api/tables/{table_id}/{action}", {"id": self.new_id(), **body})

    def open(self, table_id: str, after: int = 0, **settings: Any) -> Socket:
        return Socket(self, f"/ws/tables/{table_id}?protocol=2&after={after}", **settings)

    def cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())


class Socket:
    """A visitor's socket: frames as dictionaries, pings answered."""

    def __init__(self, visitor: Visitor, path: str, **settings: Any) -> None:
        self.visitor = visitor
        headers = {"Cookie": visitor.cookie()}
        address = visitor.url.replace("http", "ws", 1) + path
        settings.setdefault("origin", visitor.url)
        settings.setdefault("max_size", None)
        settings.setdefault("open_timeout", PATIENCE_S)
        settings.setdefault("ping_timeout", PATIENCE_S)
        self._connecting = connect(address, additional_headers=headers, **settings)
        self.socket: ClientConnection = self._connecting.__enter__()
        self.inbox: list[dict[str, Any]] = []

    def __enter__(self) -> Socket:
        return self

    def __exit__(self, *_: object) -> None:
        self._connecting.__exit__(None, None, None)

    def _receive(self, timeout: float) -> dict[str, Any]:
        while True:
            frame: dict[str, Any] = json.loads(self.socket.recv(timeout))
            if frame["type"] != "ping":
                return frame
            self.socket.send(json.dumps({"type": "pong", "n": frame["n"]}))

    def _find(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Return the first frame that is wanted; others wait until they are asked for."""
        for frame in self.inbox:
            if wanted(frame):
                self.inbox.remove(frame)
                return frame
        end = time.monotonic() + PATIENCE_S
        while True:
            frame = self._receive(max(0.01, end - time.monotonic()))
            if wanted(frame):
                return frame
            self.inbox.append(frame)

    def wait(self, kind: str) -> dict[str, Any]:
        """Return the next frame of a type, or the next event of a kind."""
        return self._find(lambda frame: kind in (frame["type"], frame.get("event_type")))

    def wait_move(self, ply: int) -> dict[str, Any]:
        """Return the event of the move at a ply."""
        return self._find(lambda frame: frame.get("event_type") == "move" and frame["data"]["ply"] == ply)

    def send(self, kind: str, **body: Any) -> str:
        identity: str = body.pop("id", None) or self.visitor.new_id()
        self.socket.send(json.dumps({"type": kind, "id": identity, **body}))
        return identity

    def ask(self, kind: str, **body: Any) -> dict[str, Any]:
        """Send a frame and return what it is answered with."""
        identity = self.send(kind, **body)
        answers = ("ack", "error")
        return self._find(lambda frame: frame["type"] in answers and frame["id"] == identity)

    def closed(self) -> int:
        """Wait until the server closes, and return the code."""
        end = time.monotonic() + PATIENCE_S
        try:
            while True:
                self.socket.recv(max(0.01, end - time.monotonic()))
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 0
