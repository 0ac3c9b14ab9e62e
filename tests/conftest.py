"""What holds for the whole run: children start with default signals, and none of them outlives the tests.

Hypothesis measures no times: on a busy machine any example may take long.
"""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import sys
import time
from collections.abc import Iterator
from itertools import chain, zip_longest
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from taiji.rules import catalogue
from tests.server.loaded import FORKS

gc.disable()  # until thousands of tests are collected, all of which stay
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

PR_SET_CHILD_SUBREAPER = 36
GRACE_S = 30.0
"""How long processes that were told to end may take on a busy machine."""
HELPERS = ("multiprocessing.resource_tracker", "multiprocessing.forkserver")
"""Processes of Python itself, which end with the process that started them."""


@pytest.hookimpl(tryfirst=True)  # before a random order is drawn
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that wait for browsers and servers; those that compute fill the rest."""
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    tests = Path(__file__).parent
    waiting = [[path for path in files if tests / folder in path.parents] for folder in ("web", "server")]
    first = [path for path in chain.from_iterable(zip_longest(*waiting)) if path is not None]
    items[:] = chain.from_iterable(files[path] for path in dict.fromkeys([*first, *files]))


def pytest_collection_finish() -> None:
    """Leave what thousands of collected tests made out of every garbage collection during the tests."""
    gc.freeze()
    gc.enable()


def pytest_sessionfinish() -> None:
    """Let the last collection free what was left out, for the core counts what is never freed."""
    gc.unfreeze()


def _ignore(number: int, frame: object) -> None:
    """Ignore a signal; unlike SIG_IGN, a handler is not passed on to programs that a test starts."""


@pytest.fixture(scope="session", autouse=True)
def _default_signals_for_children() -> Iterator[None]:
    """Let children be interrupted also if the run itself is not: under nohup, or in the background."""
    ignored = [n for n in (signal.SIGINT, signal.SIGHUP) if signal.getsignal(n) is signal.SIG_IGN]
    for number in ignored:
        signal.signal(number, _ignore)
    yield
    for number in ignored:
        signal.signal(number, signal.SIG_IGN)


def children() -> dict[int, str]:
    """Return the running processes below this one, with their command lines."""
    found: dict[int, str] = {}
    parents = [os.getpid()]
    while parents:
        folder = Path("/proc") / str(parents.pop())
        for pid in _child_pids(folder):
            command = _command(pid)
            if command is None:
                continue
            parents.append(pid)
            if not any(helper in command for helper in HELPERS):
                found[pid] = command
    return found


def _child_pids(folder: Path) -> list[int]:
    pids: list[int] = []
    for task in folder.glob("task/*/children"):
        try:
            pids += [int(pid) for pid in task.read_text().split()]
        except OSError:  # it has just ended
            continue
    return pids


def _command(pid: int) -> str | None:
    """Return a process's command line; None if it has ended, whether or not anybody has waited for it."""
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return None
    return command.replace(b"\0", b" ").decode(errors="replace").strip() or None


@pytest.fixture(scope="session", autouse=True)
def _no_process_outlives_the_tests() -> Iterator[None]:
    """Fail the run if a process that a test started is still there at its end."""
    if sys.platform != "linux":
        yield
        return
    # Orphans come to this process instead of init, so that they are seen too.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    before = children()
    FORKS.adopts_orphans = True
    yield
    FORKS.close()
    end = time.monotonic() + GRACE_S
    while (left := children().items() - before.items()) and time.monotonic() < end:
        time.sleep(0.1)
    assert not left, f"processes that outlive the tests: {sorted(left)}"


@pytest.fixture(autouse=True)
def _same_games_for_every_test() -> Iterator[None]:
    """Forget the custom games that a test registered: the next one in this process must not see them."""
    before = dict(catalogue._registered)
    yield
    catalogue._registered.clear()
    catalogue._registered.update(before)
