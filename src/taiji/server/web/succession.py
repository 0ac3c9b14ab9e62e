"""Succession: on SIGUSR2 a new process of the same command takes the server's place without a pause.

The successor inherits the listening socket, loads everything and says so. Only then does this server drain,
write what it has decided and release the database; visitors who come during that time wait in the queue of
the socket. A successor that does not get so far changes nothing. A service manager is told which process
serves.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import subprocess
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from taiji.server.store.database import DatabaseInUse

if TYPE_CHECKING:
    from taiji.server.store.store import Store

log = logging.getLogger("taiji.server")

VARIABLE = "TAIJI_SUCCESSION"
"""Holds the numbers of the listening socket and of the pipe to the server that is replaced."""
READY = b"r"
RELEASE_TIMEOUT_S = 30.0
RETRY_S = 0.01


class Predecessor:
    """The server that this process replaces."""

    def __init__(self, listening: socket.socket, pipe: int) -> None:
        self.listening = listening
        self._pipe = pipe

    @classmethod
    def find(cls) -> Predecessor | None:
        """Return the server that has started this process, if one has."""
        numbers = os.environ.pop(VARIABLE, None)
        if numbers is None:
            return None
        listening, pipe = map(int, numbers.split(","))
        # With an explicit protocol asyncio sets TCP_NODELAY, as on a socket of its own.
        inherited = socket.socket(fileno=listening)
        family, kind = inherited.family, inherited.type
        return cls(socket.socket(family, kind, socket.IPPROTO_TCP, inherited.detach()), pipe)

    def replace(self, store: Store) -> None:
        """Let it stop, and prepare the database as soon as it has released it."""
        notify_manager(f"MAINPID={os.getpid()}")
        os.write(self._pipe, READY)
        os.close(self._pipe)
        end = time.monotonic() + RELEASE_TIMEOUT_S
        while True:
            try:
                store.prepare()
            except DatabaseInUse:
                if time.monotonic() > end:
                    raise
                time.sleep(RETRY_S)
            else:
                return


async def start_successor(listening: socket.socket) -> bool:
    """Start a new process of this command; return whether it is ready to take over."""
    if sys.platform == "win32":
        return False
    ours, theirs = os.pipe()
    fds = (listening.fileno(), theirs)
    environment = {**os.environ, VARIABLE: ",".join(map(str, fds))}
    command = [sys.executable, *sys.orig_argv[1:]]
    try:
        process = subprocess.Popen(  # noqa: S603 - the command that started this server
            command, pass_fds=fds, env=environment, stdin=subprocess.DEVNULL
        )
    except OSError:
        os.close(ours)
        log.exception("a successor cannot be started: this server goes on")
        return False
    finally:
        os.close(theirs)
    try:
        ready = await asyncio.to_thread(os.read, ours, 1) == READY
    finally:
        os.close(ours)
    if not ready:
        status = await asyncio.to_thread(process.wait)
        log.error("the successor ended with status %d before it was ready: this server goes on", status)
    return ready


def notify_manager(state: str) -> None:
    """Tell the service manager of this process a state, as systemd understands it; without one do nothing."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if sys.platform == "win32" or not address:
        return
    if address.startswith("@"):
        address = f"\0{address[1:]}"
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.sendto(state.encode(), address)
