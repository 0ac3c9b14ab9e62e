"""Waiting for other processes, however busy the machine is."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE_S = 120.0
"""Limit of a wait for another process: it ends a wait for what never comes, and says nothing about speed."""
PAUSE_S = 0.02


def wait_until(condition: Callable[[], T], what: str) -> T:
    """Return the first true value of a condition; fail with `what` if there is none."""
    end = time.monotonic() + PATIENCE_S
    while not (found := condition()):
        assert time.monotonic() < end, f"waited {PATIENCE_S:.0f} s: {what}"
        time.sleep(PAUSE_S)
    return found


async def eventually(condition: Callable[[], bool], what: str) -> None:
    """Let other tasks work until a condition holds; fail with `what` if it never does."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, f"waited {PATIENCE_S:.0f} s: {what}"
        await asyncio.sleep(0.001)


def slowdown() -> float:
    """Return how many times slower than on an idle machine this process runs now, at least 1."""
    began, used = time.monotonic(), time.process_time()
    while time.process_time() - used < 0.2:
        pass
    return max(1.0, (time.monotonic() - began) / (time.process_time() - used))


def best_time(attempt: Callable[[], float], limit_s: float, attempts: int = 20) -> float:
    """Return the time of the first attempt under a limit, or the shortest of all."""
    times: list[float] = []
    while len(times) < attempts and min(times, default=limit_s) >= limit_s:
        times.append(attempt())
    return min(times)
