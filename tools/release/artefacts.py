"""Builds the sdist and the wheels of a release into dist, from the sdist alone, repeatably."""

from __future__ import annotations

import hashlib
import platform
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from tools.release.running import (
    CONSTRAINTS,
    DIST,
    ROOT,
    TOOLS,
    WORK,
    Failure,
    Log,
    find_python,
    run,
    source_date,
)

GLIBC = (2, 28)


@dataclass(frozen=True, slots=True)
class Target:
    """A wheel: the lowest CPython it runs on, and the machine."""

    minor: int
    machine: str

    @property
    def platform(self) -> str:
        """The platform tag."""
        return f"manylinux_{GLIBC[0]}_{GLIBC[1]}_{self.machine}"

    @property
    def environment(self) -> dict[str, str]:
        """The environment of the build: a compiler for the machine and an old glibc."""
        shared = {
            "CXX": str(ROOT / "tools" / "zig-c++"),
            "PYTHON": str(TOOLS / "bin" / "python"),
            "ZIG_TARGET": f"{self.machine}-linux-gnu.{GLIBC[0]}.{GLIBC[1]}",
        }
        if self.machine == "x86_64":
            return shared
        return {
            **shared,
            "_PYTHON_HOST_PLATFORM": f"linux-{self.machine}",
            "SETUPTOOLS_EXT_SUFFIX": f".cpython-3{self.minor}-{self.machine}-linux-gnu.so",
            "CMAKE_ARGS": f"-DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR={self.machine}",
        }


TARGETS = tuple(Target(minor, machine) for machine in ("x86_64", "aarch64") for minor in (11, 12))


def build(log: Log) -> None:
    """Build the sdist and every wheel."""
    shutil.rmtree(DIST, ignore_errors=True)
    sdist = build_sdist(DIST)
    log.add(f"* {_described(sdist)}")
    for target in TARGETS:
        log.add(f"* {_described(build_wheel(target, sdist, DIST))}")


def build_native(log: Log) -> None:
    """Build the sdist and a wheel with the compiler of this machine."""
    shutil.rmtree(DIST, ignore_errors=True)
    sdist = build_sdist(DIST)
    _pip_wheel(sys.executable, sdist, DIST, {})
    for path in sorted(DIST.iterdir()):
        log.add(f"* {_described(path)}")


def build_again(log: Log) -> None:
    """Build sdist and first wheel again and compare the files."""
    again = WORK / "again"
    shutil.rmtree(again, ignore_errors=True)
    sdist = build_sdist(again)
    build_wheel(TARGETS[0], sdist, again)
    for path in sorted(again.iterdir()):
        if _digest(path) != _digest(DIST / path.name):
            raise Failure(f"{path.name}: two builds differ (expected equal files: {DIST} and {again})")
        log.add(f"* {path.name}: equal, SHA-256 {_digest(path)}")


def build_sdist(folder: Path) -> Path:
    """Build the sdist into a folder and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    arguments = ("-m", "build", "--sdist", "--outdir", folder, ROOT)
    run(TOOLS / "bin" / "python", *arguments, env=_repeatable())
    return next(folder.glob("*.tar.gz"))


def build_wheel(target: Target, sdist: Path, folder: Path) -> Path:
    """Build a wheel from the sdist, check that it runs on old systems, and return it."""
    python = find_python(target.minor)
    if python is None:
        raise Failure(f"Python 3.{target.minor}: not found (expected python3.{target.minor} on the path)")
    raw = WORK / "raw" / f"{target.minor}-{target.machine}"
    shutil.rmtree(raw, ignore_errors=True)
    _pip_wheel(python, sdist, raw, target.environment)
    # auditwheel names the platforms of its own machine only; for others it finds the oldest by itself.
    wanted = target.platform if target.machine == platform.machine() else "auto"
    repair = ("-m", "auditwheel", "repair", "--plat", wanted, "--wheel-dir", folder, next(raw.glob("*.whl")))
    path = f"{TOOLS / 'bin'}:/usr/bin:/bin"
    run(TOOLS / "bin" / "python", *repair, env={**_repeatable(), "PATH": path})
    abi = "abi3" if target.minor > 11 else f"cp3{target.minor}"
    wheel = next(folder.glob(f"*-cp3{target.minor}-{abi}-*{target.machine}.whl"))
    if not any(int(minor) <= GLIBC[1] for minor in re.findall(r"manylinux_2_(\d+)_", wheel.name)):
        raise Failure(f"{wheel.name}: needs a newer glibc (expected {target.platform})")
    return wheel


def _pip_wheel(python: str, sdist: Path, folder: Path, environment: dict[str, str]) -> None:
    command = (
        python,
        "-m",
        "pip",
        "--disable-pip-version-check",
        "wheel",
        "--no-deps",
        "--wheel-dir",
        folder,
        sdist,
    )
    pinned = {"PIP_CONSTRAINT": str(CONSTRAINTS), "PIP_BUILD_CONSTRAINT": str(CONSTRAINTS)}
    run(*command, env={**_repeatable(), **pinned, **environment})


def _repeatable() -> dict[str, str]:
    return {"SOURCE_DATE_EPOCH": source_date(), "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "TZ": "UTC"}


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _described(path: Path) -> str:
    return f"{path.name}: {path.stat().st_size / 1e6:.2f} MB"
