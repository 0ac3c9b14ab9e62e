"""Servers without the second in which each imports the program: forks of a process that has done so.

A fork runs the script `taiji` as a shell would start it, but for its command line, which is that of the
process it comes from. It is a child of the tests, which adopt it.
"""

from __future__ import annotations

import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).parents[2]
REQUEST_BYTES = 1 << 20
PAUSE_S = 0.01


class Forked:
    """A forked program; it has what the tests use of `subprocess.Popen`."""

    def __init__(self, pid: int, stdout: IO[str], stderr: IO[str]) -> None:
        self.pid, self.stdout, self.stderr = pid, stdout, stderr
        self.returncode: int | None = None

    def poll(self) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.returncode = os.waitstatus_to_exitcode(status) if pid else None
        return self.returncode

    def wait(self, timeout: float) -> int:
        end = time.monotonic() + timeout
        while (code := self.poll()) is None:
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired("taiji", timeout)
            time.sleep(PAUSE_S)
        return code

    def send_signal(self, number: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Loaded:
    """The process that has loaded the program; it ends with the tests, however they end."""

    def __init__(self) -> None:
        self._requests, theirs = socket.socketpair()
        with theirs:
            number = theirs.fileno()
            command = [sys.executable, "-m", "tests.server.loaded", str(number)]
            self._process = subprocess.Popen(command, pass_fds=[number], cwd=ROOT)

    def start(self, command: list[str], environment: dict[str, str]) -> Forked:
        """Run a command of the program in a fork."""
        request = {"command": command, "environment": environment, "folder": str(Path.cwd())}
        out, their_out = os.pipe()
        err, their_err = os.pipe()
        socket.send_fds(self._requests, [json.dumps(request).encode()], [their_out, their_err])
        os.close(their_out)
        os.close(their_err)
        pid = int(self._requests.recv(100))
        return Forked(pid, os.fdopen(out), os.fdopen(err))

    def close(self) -> None:
        self._requests.close()
        self._process.wait()


class Forks:
    """Where forks come from; nowhere until somebody says that this process adopts orphans."""

    def __init__(self) -> None:
        self.adopts_orphans = False
        self._loaded: Loaded | None = None

    def start(self, command: list[str], environment: dict[str, str]) -> Forked:
        """Run a command of the program in a fork; the first loads the program."""
        if self._loaded is None:
            self._loaded = Loaded()
        return self._loaded.start(command, environment)

    def close(self) -> None:
        self.adopts_orphans = False
        if self._loaded is not None:
            self._loaded.close()
            self._loaded = None


FORKS = Forks()


def _fork_on_request(requests: socket.socket) -> None:
    """Fork for every request until nobody can ask any more; return only in no fork."""
    import taiji.cli.serve
    import taiji.server.web.serve  # noqa: F401

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    while True:
        request, files, _, _ = socket.recv_fds(requests, REQUEST_BYTES, 2)
        if not request:
            return
        reading, writing = os.pipe()
        parent = os.fork()
        if not parent:
            child = os.fork()
            if child:  # ends, so that the tests adopt the child
                os.write(writing, str(child).encode())
                os._exit(0)
            for unused in (reading, writing, requests.detach()):
                os.close(unused)
            _run(json.loads(request), files)
        os.waitpid(parent, 0)
        requests.send(os.read(reading, 100))
        for used in (reading, writing, *files):
            os.close(used)


def _run(request: dict[str, Any], files: list[int]) -> None:
    """Become the program, and end as it ends."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, file in enumerate(files, 1):
        os.dup2(file, number)
        os.close(file)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv = request["command"]
    runpy.run_path(sys.argv[0], run_name="__main__")
    sys.exit()


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as asked:
        _fork_on_request(asked)
