"""The identity of a process: a server that was killed is replaced without waiting for its lease."""

from __future__ import annotations

import os
from pathlib import Path


def process_identity() -> str:
    """Return a text that no other process has, on any machine; empty where the system does not tell."""
    start = _start_time(os.getpid())
    return "" if start is None else f"{_machine()}/{os.getpid()}/{start}"


def has_ended(identity: str) -> bool:
    """Return whether a process ran on this machine and has ended for certain."""
    machine, _, rest = identity.partition("/")
    pid, _, start = rest.partition("/")
    return bool(machine) and machine == _machine() and _start_time(int(pid)) != start


def _machine() -> str:
    """Return the boot of this machine and the namespace of process numbers, as in a container."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot}:{Path('/proc/self/ns/pid').stat().st_ino}"
    except OSError:
        return ""


def _start_time(pid: int) -> str | None:
    """Return when a process started, in ticks since the boot; None if there is no such process."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    # The name of the program is in brackets and may hold spaces; a zombie has ended.
    fields = stat.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else fields[19]
