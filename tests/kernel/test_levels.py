"""The core is chosen by the level of the processor; a processor without one is named in one line."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from taiji import _core

CORES = Path(_core.__file__).parent / "_cores"

pytestmark = pytest.mark.skipif(not CORES.exists(), reason="one core for every processor of this machine")


def run_at(level: str, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "TAIJI_CPU_LEVEL": level}
    return subprocess.run(
        [sys.executable, *command], env=environment, capture_output=True, text=True, check=False
    )


def test_only_x86_has_levels() -> None:
    assert platform.machine() == "x86_64"
    assert {path.name for path in CORES.iterdir()} <= {"v2.so", "v3.so", "v4.so"}


def test_a_processor_without_the_instructions_is_told_so() -> None:
    done = run_at("v1", "-m", "taiji", "bench")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        "taiji: compiled core: this processor has the instructions of x86-64-v1 (expected"
    )
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("level", ["v9", "v0", "v22", "x86-64-v3"])
def test_a_level_that_does_not_exist_is_refused(level: str) -> None:
    done = run_at(level, "-m", "taiji", "bench")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "taiji: TAIJI_CPU_LEVEL: not a level of x86-64 (expected v1 to v4)\n"


def test_a_library_user_gets_an_import_error() -> None:
    done = run_at("v1", "-c", "import taiji.kernel")
    assert "ImportError: compiled core: this processor" in done.stderr


def test_every_level_searches_alike() -> None:
    """`make setup` compiles one level, a wheel several."""
    code = "from taiji.kernel.signature import search_signature; print(search_signature())"
    said = {run_at(path.stem, "-c", code).stdout for path in CORES.iterdir()}
    assert len(said) == 1
    assert said != {""}


def test_a_lower_level_runs_nets_with_its_own_instructions() -> None:
    code = "from taiji.kernel import simd_backends; print(*simd_backends())"
    allowed = {"v2": ["portable"], "v3": ["avx2", "portable"]}
    for level in allowed.keys() & {path.stem for path in CORES.iterdir()}:
        assert run_at(level, "-c", code).stdout.split() == allowed[level]
