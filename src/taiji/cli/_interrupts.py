"""Ctrl-C ends the program within a second, also while the main thread is in compiled code."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from typing import NoReturn

EXIT_INTERRUPTED = 130

GRACE_S = 0.6
"""Time that the program has to unwind after Ctrl-C before it is ended."""
_WATCHER = "taiji-interrupts"
_unwinds = threading.Event()
"""Set while Ctrl-C raises KeyboardInterrupt in the main thread."""
_SHOW_CURSOR = "\x1b[?25h"


def end_on_interrupt() -> None:
    """From now on, end the process shortly after Ctrl-C if it has not ended by itself.

    Python's own handler runs between two bytecodes of the main thread, which may be compiling for minutes in
    JAX. The byte that the signal writes into a pipe wakes another thread at once.
    """
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        return  # Windows writes signals into sockets only; there the compiled core asks for Ctrl-C itself
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return  # ignored, as in a background job, or handled by the program around this one
    _unwinds.set()
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    threading.Thread(target=_wait, args=(reader,), name=_WATCHER, daemon=True).start()


def leave_on_interrupt() -> None:
    """From now on, end the process at Ctrl-C without unwinding: JAX crashes if it is interrupted."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, lambda *_: None)
        _unwinds.clear()


def _wait(reader: int) -> None:
    while signal.SIGINT not in os.read(reader, 64):
        pass
    if _unwinds.is_set():
        time.sleep(GRACE_S)
    leave()


def has_running_threads() -> bool:
    """Return whether a thread is left that may be in compiled code, which Python would abort at its end."""
    mine = (threading.main_thread(), threading.current_thread())
    return any(thread not in mine and thread.name != _WATCHER for thread in threading.enumerate())


def leave() -> NoReturn:
    """End the process at once, without waiting for threads that are in compiled code."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is sys.stderr and stream.isatty():
                stream.write(_SHOW_CURSOR)
            stream.flush()
        except (OSError, ValueError):
            pass
    os._exit(EXIT_INTERRUPTED)
