"""What differs between operating systems: locks on files, signals and limits of a process.

No other module calls what only POSIX has; `mypy --platform win32` in the checks finds such a call.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

if sys.platform == "win32":
    import msvcrt

    _LOCKED_BYTE = 0x7FFF_FFF0
    """Windows refuses others the locked bytes: this one is beyond the end of most files."""
    _POLL_S = 0.1

    def lock_file(file: int, *, wait: bool) -> None:
        """Lock an open file until it is closed; unless `wait`, raise `BlockingIOError` if it is locked."""
        while True:
            os.lseek(file, _LOCKED_BYTE, os.SEEK_SET)
            try:
                msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
            except OSError as error:
                if not wait:
                    raise BlockingIOError(*error.args) from None
                time.sleep(_POLL_S)
            else:
                os.lseek(file, 0, os.SEEK_SET)
                return

    @contextmanager
    def interrupts_blocked() -> Iterator[None]:
        """Do nothing: on Windows processes inherit no blocked signals."""
        yield

    def hangup_signals() -> tuple[signal.Signals, ...]:
        """Return the signals that ask the process to end."""
        return (signal.SIGTERM,)

    def was_out_of_cpu_time(status: int) -> bool:
        """Return whether a process ended with this status because of its limit on CPU time."""
        return False

    def limit_resources(memory_bytes: int, niceness: int) -> None:
        """Do nothing: the limits are those of POSIX."""

    def limit_cpu_time(seconds: int) -> None:
        """Do nothing: the limits are those of POSIX."""

else:
    import fcntl
    import resource

    def lock_file(file: int, *, wait: bool) -> None:
        """Lock an open file until it is closed; unless `wait`, raise `BlockingIOError` if it is locked."""
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)

    @contextmanager
    def interrupts_blocked() -> Iterator[None]:
        """Let processes that are started now inherit that they get no Ctrl-C: their parent ends them."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def hangup_signals() -> tuple[signal.Signals, ...]:
        """Return the signals that ask the process to end."""
        return (signal.SIGTERM, signal.SIGHUP)

    def was_out_of_cpu_time(status: int) -> bool:
        """Return whether a process ended with this status because of its limit on CPU time."""
        return status == -signal.SIGXCPU

    def limit_resources(memory_bytes: int, niceness: int) -> None:
        """Lower the priority of this process and limit its memory; it leaves no core dump."""
        os.nice(niceness)
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def limit_cpu_time(seconds: int) -> None:
        """Let the system kill this process once it has used this much CPU time since its start."""
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, hard))
