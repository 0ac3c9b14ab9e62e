"""Run tests against mutants in forked processes: pytest is imported once, `taiji` afresh for each mutant."""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import hypothesis
import pytest
from tools.mutants.python_mutants import Mutant
from tools.mutants.targets import ROOT

SITE = Path(__file__).parent / "site"
MIN_TIMEOUT_S = 60.0
_IMPORTED = (hypothesis, pytest)


@dataclass(frozen=True, slots=True)
class Job:
    """A mutant of a file, and the tests that could notice it."""

    path: Path
    mutant: Mutant
    tests: tuple[str, ...]
    seconds: float = 0.0
    """How long the tests take without the mutant."""

    @property
    def module(self) -> str:
        """The dotted name of the mutated module."""
        return ".".join(self.path.relative_to(ROOT / "src").with_suffix("").parts)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a mutant was killed, and by what: a test, a timeout, or nothing."""

    job: Job
    killed: bool
    reason: str


def check_unchanged(path: Path, tests: list[str], folder: Path) -> None:
    """Raise ValueError if tests fail with an equal copy of a file: a check of the runner itself."""
    source = path.read_text()
    job = Job(path, Mutant(1, "", "", source), tuple(tests), seconds=600.0)
    [verdict] = run_jobs([job], 1, folder)
    if verdict.killed:
        output = (folder / "0.log").read_text()[-2000:]
        raise ValueError(f"the tests fail with an unchanged copy of {path.relative_to(ROOT)}:\n{output}")


def run_jobs(jobs: list[Job], workers: int, folder: Path) -> Iterator[Verdict]:
    """Run the jobs in `workers` parallel processes, and yield each verdict when it is known."""
    waiting = list(enumerate(jobs))[::-1]
    running: dict[int, tuple[Job, float]] = {}
    while waiting or running:
        while waiting and len(running) < workers:
            index, job = waiting.pop()
            if not job.tests:
                yield Verdict(job, killed=False, reason="no test executes this line")
                continue
            timeout_s = MIN_TIMEOUT_S + 10 * job.seconds
            running[_start(job, folder / f"{index}.py")] = (job, time.monotonic() + timeout_s)
        for pid, (job, deadline) in list(running.items()):
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                del running[pid]
                failed = os.waitstatus_to_exitcode(status) != 0
                yield Verdict(job, failed, "a test fails" if failed else "all tests pass")
            elif time.monotonic() > deadline:
                os.killpg(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                del running[pid]
                yield Verdict(job, killed=True, reason="timeout")
        time.sleep(0.02)


def _start(job: Job, file: Path) -> int:
    """Fork a process that runs the job's tests; return its id, which is also that of its group."""
    file.write_text(job.mutant.source)
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setpgid(0, 0)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        log = os.open(file.with_suffix(".log"), os.O_WRONLY | os.O_CREAT)
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.environ.update(
            MUTANT_MODULE=job.module,
            MUTANT_FILE=str(file),
            PYTHONPATH=str(SITE),
            PYTHONDONTWRITEBYTECODE="1",
            HYPOTHESIS_STORAGE_DIRECTORY=str(file.with_suffix(".examples")),
        )
        sys.dont_write_bytecode = True
        sys.path.insert(0, str(SITE))
        sys.modules.pop("sitecustomize", None)
        import sitecustomize  # noqa: F401 - installs the finder of the mutated module

        options = ["-x", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", "--no-header"]
        options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # hypothesis is imported already
        code = int(pytest.main([*options, *job.tests]))
    except BaseException:  # noqa: BLE001 - a forked process must not go on with the parent's work
        traceback.print_exc()
        code = 3
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
