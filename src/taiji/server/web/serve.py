"""Run the server: listen, print the address, open a browser; stop cleanly on Ctrl-C or for a successor."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import sys
import threading
import webbrowser
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import uvicorn

from taiji.server.contract.messages import MAX_FRAME_BYTES
from taiji.server.web.app import create_app
from taiji.server.web.logs import LoopErrors, set_up_logging
from taiji.server.web.protocols import HttpProtocol, SocketProtocol
from taiji.server.web.succession import Predecessor, notify_manager, start_successor

if TYPE_CHECKING:
    from collections.abc import Callable

    from taiji.server.settings import ServerSettings
    from taiji.server.web.context import AppContext

SHUTDOWN_GRACE_S = 3
SILENT_S = 5
"""How long a visitor who has connected may wait with the first request before the server accepts them."""
BACKLOG = 2048


class Server(uvicorn.Server):
    """A server that calls back when it listens, and drains before it waits for connections."""

    def __init__(self, config: uvicorn.Config, context: AppContext, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._context = context
        self._ready = ready
        self._succession: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening."""
        asyncio.get_running_loop().set_exception_handler(LoopErrors())
        await super().startup(sockets)
        if self.started:
            self._ready()
        if sys.platform != "win32" and sockets:
            loop, listening = asyncio.get_running_loop(), sockets[0]
            handle = partial(loop.call_soon_threadsafe, self._make_place, listening)
            signal.signal(signal.SIGUSR2, lambda *_: handle())

    def _make_place(self, listening: socket.socket) -> None:
        if not self.should_exit and (self._succession is None or self._succession.done()):
            self._succession = asyncio.create_task(self._succeed(listening))

    async def _succeed(self, listening: socket.socket) -> None:
        if await start_successor(listening):
            self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop listening, hand the games over, and end all streams."""
        if self._context.metrics is not None:
            await asyncio.to_thread(self._context.metrics.close)
        for server in self.servers:
            server.close()
        await self._context.drain()
        await super().shutdown(sockets)


def listen(host: str, port: int, *, visitors_wait: bool) -> socket.socket:
    """Open the socket that the server listens on; port 0 takes a free one.

    Visitors of a lone server wait while it starts. Those of one among several are refused until it is ready,
    so that they, or their proxy, go to another.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With an explicit protocol asyncio sets TCP_NODELAY; otherwise small frames would wait 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if sys.platform == "linux":
        # Visitors who have not asked yet stay in the queue of the socket, where a successor finds them.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, SILENT_S)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise OSError(error.errno, f"cannot listen at {host}:{port}: {error.strerror}") from error
    if visitors_wait:
        listening.listen(BACKLOG)
    return listening


def address(host: str, port: int) -> str:
    """Return the address to open in a browser on this machine."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    return f"http://{shown}:{port}/"


def serve(settings: ServerSettings, *, open_browser: bool, say: Callable[[str], None]) -> None:
    """Serve until interrupted."""
    predecessor = Predecessor.find()
    app = create_app(settings)
    context: AppContext = app.state.context
    if predecessor is None:
        context.store.prepare()
        listening = listen(settings.host, settings.port, visitors_wait=settings.cluster is None)
    else:
        listening = predecessor.listening
    port = listening.getsockname()[1]
    where = settings.public_url or address(settings.host, port)

    def ready() -> None:
        notify_manager("READY=1")
        say(f"taiji is at {where} (Ctrl-C ends it)")
        if predecessor is None and open_browser and has_display():
            threading.Thread(target=_open, args=(where,), daemon=True).start()

    # Exclude what is loaded now from garbage collection, which would pause every table.
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 20, 100)
    # The writer thread must not delay the event loop by the default switch interval of 5 ms.
    sys.setswitchinterval(0.0005)
    set_up_logging(settings.log_format, settings.log_level)
    if predecessor is not None:
        predecessor.replace(context.store)
    if context.metrics is not None and settings.metrics_port is not None:
        context.metrics.serve(settings.metrics_host, settings.metrics_port)
    config = uvicorn.Config(
        app,
        loop="asyncio",  # uvloop, which uvicorn takes if it is installed, does not start the worker processes
        log_config=None,
        log_level="warning",
        access_log=False,  # paths may hold secrets
        proxy_headers=False,  # the application decides which proxies are believed
        http=HttpProtocol,
        ws=SocketProtocol,
        ws_max_size=MAX_FRAME_BYTES,
        ws_ping_interval=30,
        ws_ping_timeout=30,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=SHUTDOWN_GRACE_S,
        server_header=False,
        backlog=BACKLOG,
    )
    try:
        # uvicorn raises the signal again after a clean shutdown, which is not a failure.
        signal.signal(signal.SIGTERM, lambda *_: None)
        server = Server(config, context, ready)
        if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
            # A closed terminal ends the server as SIGTERM does; nohup lets it ignore that.
            signal.signal(signal.SIGHUP, server.handle_exit)
        with suppress(KeyboardInterrupt):
            server.run([listening])
    finally:
        listening.close()
        gc.unfreeze()  # so that the compiled core is freed at exit, and does not report leaks


def has_display() -> bool:
    """Return whether a browser would open a window; a text browser would take over the terminal."""
    if sys.platform != "linux" or os.environ.get("BROWSER"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _open(where: str) -> None:
    with suppress(webbrowser.Error):  # the address is printed anyway
        webbrowser.open(where)
