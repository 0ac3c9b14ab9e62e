"""Installs the wheel in clean environments and runs every command there."""

from __future__ import annotations

import platform
from pathlib import Path

from tools.release.running import DIST, ROOT, WORK, Failure, Log, extras, find_python, make_environment, run

MINORS = (11, 12, 13)


def wheel_for(minor: int) -> Path:
    """Return the wheel of this machine for a Python."""
    tags = "cp311-cp311" if minor == 11 else "cp312-abi3"
    found = sorted(DIST.glob(f"*-{tags}-*{platform.machine()}.whl"))
    if not found:
        raise Failure(f"{DIST}: no wheel for Python 3.{minor} (expected {tags}; run the step build)")
    return found[0]


def check_base(log: Log) -> None:
    """Run every command without extras, with each Python that is found."""
    for minor in MINORS:
        python = find_python(minor)
        if python is None:
            log.add(f"* Python 3.{minor}: not found, not checked")
            continue
        programs = make_environment(WORK / f"base-3.{minor}", python, wheel_for(minor))
        said = run(dev_python(), "-m", "tests.cli.base_check", programs / "taiji")
        log.add(f"* Python 3.{minor}, {wheel_for(minor).name}: {said.strip()}")


def check_full(log: Log) -> None:
    """Run every command with all extras."""
    programs = full_environment(fresh=True)
    said = run(dev_python(), "-m", "tests.cli.base_check", programs / "taiji", "--extras")
    log.add(f"* Python 3.11 with {', '.join(extras())}: {said.strip()}")


def full_environment(*, fresh: bool = False) -> Path:
    """Return the programs of an environment with the wheel and all extras."""
    folder = WORK / "full"
    if not fresh and (folder / "bin" / "taiji").exists():
        return folder / "bin"
    python = find_python(11)
    if python is None:
        raise Failure("Python 3.11: not found (expected python3.11 on the path)")
    return make_environment(folder, python, f"{wheel_for(11)}[{','.join(extras())}]")


def dev_python() -> Path:
    """Return the interpreter of `make dev`, which has the tests and the browser."""
    python = ROOT / ".venv" / "bin" / "python"
    if not python.exists():
        raise Failure(".venv: missing (run make dev)")
    return python
