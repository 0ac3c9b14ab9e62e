"""Run the server: listen, print the address, open a browser, and stop cleanly on Ctrl-C."""

from __future__ import annotations

import gc
import logging
import os
import socket
import sys
import threading
import webbrowser
from contextlib import suppress
from typing import TYPE_CHECKING

import uvicorn

from taiji.server.contract.messages import MAX_FRAME_BYTES
from taiji.server.web.app import create_app
from taiji.server.web.protocols import HttpProtocol, SocketProtocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from taiji.server.settings import ServerSettings
    from taiji.server.web.context import AppContext

SHUTDOWN_GRACE_S = 3


class Server(uvicorn.Server):
    """A server that calls back when it listens, and ends its streams before it waits for connections."""

    def __init__(self, config: uvicorn.Config, context: AppContext, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._context = context
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop listening and end all streams."""
        self._context.close_streams()
        await super().shutdown(sockets)


def listen(host: str, port: int) -> socket.socket:
    """Open the socket that the server listens on; port 0 takes a free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With an explicit protocol asyncio sets TCP_NODELAY; otherwise small frames would wait 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise OSError(error.errno, f"cannot listen at {host}:{port}: {error.strerror}") from error
    listening.listen(2048)
    return listening


def address(host: str, port: int) -> str:
    """Return the address to open in a browser on this machine."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    return f"http://{shown}:{port}/"


def serve(settings: ServerSettings, *, open_browser: bool, say: Callable[[str], None]) -> None:
    """Serve until interrupted."""
    app = create_app(settings)
    context: AppContext = app.state.context
    context.store.prepare()
    listening = listen(settings.host, settings.port)
    port = listening.getsockname()[1]
    where = settings.public_url or address(settings.host, port)

    def ready() -> None:
        say(f"taiji is at {where} (Ctrl-C ends it)")
        if open_browser and has_display():
            threading.Thread(target=_open, args=(where,), daemon=True).start()

    # Exclude what is loaded now from garbage collection, which would pause every table.
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 20, 100)
    # The writer thread must not delay the event loop by the default switch interval of 5 ms.
    sys.setswitchinterval(0.0005)
    logging.basicConfig(
        level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr
    )
    config = uvicorn.Config(
        app,
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
        backlog=2048,
    )
    try:
        with suppress(KeyboardInterrupt):  # uvicorn raises the signal again after a clean shutdown
            Server(config, context, ready).run([listening])
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
