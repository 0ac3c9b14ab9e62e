"""Ctrl-C ends long commands within a second with status 130, on a terminal and in a pipe."""

from __future__ import annotations

import contextlib
import os
import pty
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

MAIN = "from taiji.cli import main; main()"
PROGRAM = [sys.executable, "-c", MAIN]
# Not by preexec_fn, which forks: an error in a process that has loaded JAX.
TAKE_TERMINAL = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
ON_TERMINAL = [sys.executable, "-c", TAKE_TERMINAL + MAIN]
LIMIT_S = 1.0
ATTEMPTS = 4
"""Other work on the machine makes an attempt only slower."""
STARTED_CPU_S = 0.7
"""Processor time after which every command below has left its imports and works."""
LONG = {
    "solve": ["solve", "taiji:size=6"],
    "perft": ["perft", "taiji", "8"],
    "bench": ["bench", "playouts", "taiji", "--seconds", "600", "--threads", "2"],
    "arena": ["arena", "mcts", "greedy", "--seconds", "600", "--workers", "2"],
    "analyse": ["analyse", "taiji", "--seconds", "600"],
    "train": ["train", "tiny", "--output", "run"],
    "review": ["review", "game.tji", "--seconds", "600"],
    "study": ["study", "balance", "taiji", "--minutes", "600", "--workers", "2", "--output", "study"],
    "study openings": ["study", "openings", "taiji", "--minutes", "600", "--workers", "1", "-o", "openings"],
    "puzzle make": ["puzzle", "make", "--game", "taiji", "--count", "100000", "--workers", "2"],
    "puzzle check": ["puzzle", "check"],
    "tournament": ["tournament", "run", "engines.toml", "--workers", "1"],
    "explore build": ["explore", "build", "games.tji", "-o", "books"],
}


GAME = '[Game "taiji:size=9"]\n\n1. e5/e4 d4/d5 *\n\n'
ENGINES = "".join(f'[[player]]\nplayer = "mcts:seed={seed}"\nseconds = 600\n' for seed in (1, 2))


def write_files(folder: Path) -> None:
    (folder / "game.tji").write_text(GAME)
    (folder / "games.tji").write_text(GAME * 100_000)
    (folder / "engines.toml").write_text(f'game = "taiji:size=9"\n{ENGINES}')


def cpu_s(pid: int) -> float:
    """Return the processor time of a process and of its children that are running."""
    total = 0.0
    tasks = Path(f"/proc/{pid}/task/{pid}/children")
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        total += sum(cpu_s(int(child)) for child in tasks.read_text().split())
    return total


def read_all(fd: int, into: list[bytes]) -> None:
    with contextlib.suppress(OSError):  # the end of a terminal
        while data := os.read(fd, 65536):
            into.append(data)


def interrupted(arguments: list[str], folder: Path, *, terminal: bool) -> tuple[int, float, str]:
    """Run a command, press Ctrl-C once it works, and return its status, how long it took and its output."""
    if terminal:
        ours, theirs = pty.openpty()
        streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    else:
        ours, theirs = os.pipe()
        streams = {"stdin": subprocess.DEVNULL, "stdout": theirs, "stderr": theirs}
    process = subprocess.Popen(
        [*(ON_TERMINAL if terminal else PROGRAM), *arguments],
        **streams,
        cwd=folder,
        env={**os.environ, "TERM": "xterm"},
        start_new_session=True,
    )
    os.close(theirs)
    output: list[bytes] = []
    reading = threading.Thread(target=read_all, args=(ours, output), daemon=True)
    reading.start()
    try:
        while cpu_s(process.pid) < STARTED_CPU_S and process.poll() is None:
            time.sleep(0.02)
        began = time.monotonic()
        if terminal:
            os.write(ours, b"\x03")
        else:
            process.send_signal(signal.SIGINT)
        status = process.wait(60)
        took = time.monotonic() - began
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    reading.join(60)
    os.close(ours)
    return status, took, b"".join(output).decode(errors="replace")


@pytest.mark.parametrize("terminal", [True, False], ids=["terminal", "pipe"])
@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_ends_the_command_within_a_second(name: str, terminal: bool, tmp_path: Path) -> None:
    if name == "train":
        pytest.importorskip("optax")
    write_files(tmp_path)
    for _ in range(ATTEMPTS):
        status, took, output = interrupted(LONG[name], tmp_path, terminal=terminal)
        assert status == 130, output
        assert "Traceback" not in output
        assert "terminate called" not in output
        if took < LIMIT_S:
            return
    raise AssertionError(f"{name} took {took:.2f} s")


def is_running(pid: str) -> bool:
    """Return whether a process exists and is not a zombie that nobody has waited for."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_no_worker_outlives_an_interrupted_arena(tmp_path: Path) -> None:
    """Its workers are in a session of their own, so that none is hidden by another run."""
    process = subprocess.Popen([*PROGRAM, *LONG["arena"]], cwd=tmp_path, start_new_session=True)
    while cpu_s(process.pid) < STARTED_CPU_S and process.poll() is None:
        time.sleep(0.02)
    workers = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    assert workers
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    deadline = time.monotonic() + 60
    while any(is_running(worker) for worker in workers):
        assert time.monotonic() < deadline
        time.sleep(0.02)
