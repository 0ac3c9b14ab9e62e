"""Processes, environments and the log of a release."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
WORK = ROOT / "build" / "release"
DIST = ROOT / "dist"
TOOLS = WORK / "tools"
CONSTRAINTS = ROOT / "constraints.txt"


class Failure(Exception):
    """A step failed; the message says which and why."""


class Log:
    """Prints what was found and writes it to build/release/log.md."""

    def __init__(self) -> None:
        WORK.mkdir(parents=True, exist_ok=True)
        self._path = WORK / "log.md"
        self._path.write_text("# Release check\n")

    def add(self, line: str) -> None:
        """Add a line."""
        print(line, flush=True)
        with self._path.open("a") as file:
            file.write(f"{line}\n")

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Head the lines of a step and add how long it took."""
        began = time.monotonic()
        self.add(f"\n## {name}\n")
        yield
        self.add(f"* {time.monotonic() - began:.0f} s")


def run(*command: str | Path, env: Mapping[str, str] | None = None, cwd: Path = ROOT, stdin: str = "") -> str:
    """Run a command and return its output; raise `Failure` with the end of it if it fails."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        input=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        words = " ".join(map(str, command))
        raise Failure(f"`{words}` failed with status {done.returncode}\n{done.stdout[-4000:]}")
    return done.stdout


def source_date() -> str:
    """Return the time of the last commit, for builds that can be repeated."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        return os.environ["SOURCE_DATE_EPOCH"]
    return run("git", "log", "-1", "--format=%ct").strip()


def extras() -> list[str]:
    """Return the extras that users install; `dev` and `release` are for this repository."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return [name for name in project["optional-dependencies"] if name not in {"dev", "release", "docs"}]


def ensure_tools() -> None:
    """Make the environment of the build tools, unless it is there."""
    if (TOOLS / ".made").exists():
        return
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    make_environment(TOOLS, sys.executable, *project["optional-dependencies"]["release"])
    (TOOLS / ".made").touch()


def make_environment(folder: Path, python: str | Path, *packages: str | Path) -> Path:
    """Make a fresh virtual environment with packages and return its folder of programs."""
    shutil.rmtree(folder, ignore_errors=True)
    run(python, "-m", "venv", folder)
    programs = folder / "bin"
    install = [programs / "python", "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    run(*install, "--constraint", CONSTRAINTS, *packages)
    return programs


def find_python(minor: int) -> str | None:
    """Return a CPython 3.`minor` of this machine, or None."""
    name = f"python3.{minor}"
    kept = sorted(Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/{name}"))
    for candidate in (shutil.which(name), *kept):
        if candidate is None:
            continue
        done = subprocess.run([candidate, "--version"], capture_output=True, text=True, check=False)
        if done.returncode == 0 and done.stdout.startswith(f"Python 3.{minor}."):
            return str(candidate)
    return None
