"""Run tests against mutants in forked processes: pytest is imported once, `taiji` afresh for each mutant."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import hypothesis
import pytest
from tools.mutants.python_mutants import Mutant
from tools.mutants.selection import Selection
from tools.mutants.targets import ROOT

SITE = Path(__file__).parent / "site"
MIN_TIMEOUT_S = 60.0
SLOWDOWN = 5
"""How many times as much processor time as without the mutant the tests may take."""
BUSY = 10
"""How many times that limit may pass on the clock: a busy machine must not look like a mutant that hangs."""
MAX_BYTES = 4 << 30
"""The address space of a process: a mutant that collects without end must not take the machine's memory."""
FIRST_TESTS = 25
"""The tests that are run before the files of the others are even loaded; most mutants die by them."""
TIMEOUT = "timeout"
_IMPORTED = (hypothesis, pytest)


@dataclass(frozen=True, slots=True)
class Job:
    """A mutant of a file, and the tests that could notice it."""

    path: Path
    mutant: Mutant
    tests: tuple[str, ...]
    seconds: float = 0.0
    """How long the tests take without the mutant."""
    others: tuple[str, ...] = ()
    """Further tests, for a mutant that those survive."""

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
    running: dict[int, tuple[Job, Path, float]] = {}
    kills: dict[Path, Counter[str]] = {}
    """How many mutants of each file each test has killed: such tests come first."""
    while waiting or running:
        while waiting and len(running) < workers:
            index, job = waiting.pop()
            if not job.tests:
                yield Verdict(job, killed=False, reason="no test executes this line")
                continue
            limit_s = MIN_TIMEOUT_S + SLOWDOWN * job.seconds
            file, killers = folder / f"{index}.py", kills.setdefault(job.path, Counter())
            tests = sorted(job.tests, key=lambda test: -killers[test])
            pid = _start(job, tests, file, limit_s)
            running[pid] = (job, file.with_suffix(".killer"), time.monotonic() + BUSY * limit_s)
        for pid, (job, killer, deadline) in list(running.items()):
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                del running[pid]
                if killer.exists():
                    kills[job.path][killer.read_text()] += 1
                yield _verdict(job, os.waitstatus_to_exitcode(status))
            elif time.monotonic() > deadline:
                os.killpg(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                del running[pid]
                yield Verdict(job, killed=True, reason=TIMEOUT)
        time.sleep(0.02)


def _verdict(job: Job, code: int) -> Verdict:
    if code == -signal.SIGXCPU:
        return Verdict(job, killed=True, reason=TIMEOUT)
    if code == pytest.ExitCode.NO_TESTS_COLLECTED:
        return Verdict(job, killed=False, reason="no test is collected")
    return Verdict(job, killed=code != 0, reason="a test fails" if code else "all tests pass")


def _start(job: Job, tests: list[str], file: Path, limit_s: float) -> int:
    """Fork a process that runs the job's tests; return its id, which is also that of its group."""
    file.write_text(job.mutant.source)
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit_s), int(limit_s) + 10))
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
        code = 0
        for stage in (tests[:FIRST_TESTS], tests[FIRST_TESTS:], list(job.others)):
            if stage and not code:
                selection = Selection(stage, file.with_suffix(".killer"))
                code = int(pytest.main([*options, *selection.files()], plugins=[selection]))
    except BaseException:  # noqa: BLE001 - a forked process must not go on with the parent's work
        traceback.print_exc()
        code = 3
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
