"""Local processes: they end with who started them, however that ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.waiting import wait_until

RUN = """
import os, sys
from pathlib import Path
from taiji.arena import LocalPool
from tests.arena.test_pool import tell_and_wait
list(LocalPool(1).run(tell_and_wait, [sys.argv[1]]))
"""


def tell_and_wait(path: str) -> None:
    """Tell who does this task, and be busy with it for longer than the test waits."""
    Path(path).write_text(str(os.getpid()))
    time.sleep(3600)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # One that has ended and that nobody has asked about yet is not alive.
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


def test_a_killed_run_leaves_no_worker_behind(tmp_path: Path) -> None:
    told = tmp_path / "pid"
    root = Path(__file__).parents[2]
    with subprocess.Popen([sys.executable, "-c", RUN, str(told)], cwd=root) as run:
        wait_until(lambda: told.exists() and told.read_text(), "no worker has started")
        worker = int(told.read_text())
        assert alive(worker)
        run.send_signal(signal.SIGKILL)
        run.wait()
    wait_until(lambda: not alive(worker), "the worker is still there")
