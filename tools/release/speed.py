"""Compares the core of the wheel with a build for this machine alone."""

from __future__ import annotations

from tools.release.environments import dev_python, wheel_for
from tools.release.running import WORK, Log, make_environment, run

MINIMUM, MINIMUM_LARGE_PLAYOUTS = "1.0", "1.2"


def check(log: Log) -> None:
    """Fail if the wheel is slower than `-march=native`, or in large playouts less than 1.2 times as fast."""
    programs = make_environment(WORK / "speed", dev_python(), wheel_for(11), "numpy")
    core = next((WORK / "speed").glob("lib/python*/site-packages/taiji/_core*.so"))
    limits = ("--minimum", MINIMUM, "--minimum-playouts", MINIMUM_LARGE_PLAYOUTS)
    said = run(dev_python(), "benchmarks/core_builds.py", "--core", core, "--native", *limits)
    log.add(f"```\n{said.strip()}\n```")
    levels = run(programs / "taiji", "bench", env={"TAIJI_CPU_LEVEL": "v2"})
    best = run(programs / "taiji", "bench")
    log.add(f"* signature at x86-64-v2 {levels.strip()}, at the best level {best.strip()}")
