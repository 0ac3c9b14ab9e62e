"""What this machine has: limits of threads and memory that are refused before any work."""

from __future__ import annotations

import os
import sys

MEBIBYTE = 1 << 20
MAX_THREADS = 256


def machine_threads() -> int:
    """Return how many threads can run at once in this process."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, min(MAX_THREADS, len(os.sched_getaffinity(0))))
    return max(1, min(MAX_THREADS, os.cpu_count() or 1))


def machine_memory_mib() -> int | None:
    """Return the memory of this machine in MiB; None if the system does not tell."""
    if sys.platform == "win32":
        return None
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // MEBIBYTE
    except (ValueError, OSError):
        return None


def check_threads(threads: int) -> None:
    """Raise ValueError if this machine cannot run this many threads at once."""
    if not 1 <= threads <= machine_threads():
        raise ValueError(f"threads={threads}: invalid (expected 1 to {machine_threads()} on this machine)")


def check_memory(mebibytes: int) -> None:
    """Raise ValueError if this is not a positive number, or if this machine has less memory."""
    if mebibytes < 1:
        raise ValueError(f"memory={mebibytes}: invalid (expected at least 1 MiB)")
    most = machine_memory_mib()
    if most is not None and mebibytes > most:
        raise ValueError(f"memory={mebibytes}: invalid (expected at most {most:,} MiB on this machine)")
