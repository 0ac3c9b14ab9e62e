"""The build backend: scikit-build-core, and the web app, which is part of every wheel and sdist.

In a checkout the web app is built first if it is missing; an sdist holds it built. With an old Python,
without Node.js or without a C++ compiler, the build ends with one line that says what to install.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

MIN_PYTHON = (3, 11)
# pip runs the backend before it reads requires-python.
if sys.version_info < MIN_PYTHON:
    _HAVE = ".".join(map(str, sys.version_info[:2]))
    raise SystemExit(f"taiji: Python {_HAVE}: too old (expected 3.11 or newer: python3.12 -m pip install …)")

from scikit_build_core import build as core  # noqa: E402

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "src" / "taiji" / "server" / "static" / "index.html"
NODE = "Node.js 20 or newer, https://nodejs.org"
COMPILERS = ("c++", "g++", "clang++")
Settings = dict[str, Any] | None


def build_wheel(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """Build a wheel with the web app."""
    _check_compiler()
    _build_web()
    return core.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """Build the core for a checkout."""
    _check_compiler()
    return core.build_editable(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """Pack the sources and the built web app."""
    _build_web()
    return core.build_sdist(sdist_directory, config_settings)


get_requires_for_build_wheel = core.get_requires_for_build_wheel
get_requires_for_build_sdist = core.get_requires_for_build_sdist
get_requires_for_build_editable = core.get_requires_for_build_editable
prepare_metadata_for_build_wheel = core.prepare_metadata_for_build_wheel
prepare_metadata_for_build_editable = core.prepare_metadata_for_build_editable


def _check_compiler() -> None:
    named = os.environ.get("CXX", "").split()
    if not any(map(shutil.which, named[:1] or COMPILERS)):
        _fail(
            f"C++ compiler: {named[0] if named else 'none'} not found"
            " (expected GCC 12, Clang 14 or newer; on Debian: apt-get install g++)"
        )


def _build_web() -> None:
    """Build the web app as `make` does, in an environment of its own, unless it is there."""
    if PAGE.exists():
        return
    missing = [name for name in ("make", "npm") if shutil.which(name) is None]
    if missing:
        _fail(
            f"web app: not built, and {missing[0]} is missing (expected {PAGE.relative_to(ROOT)}, or {NODE})"
        )
    python = getattr(sys, "_base_executable", sys.executable)
    done = subprocess.run(["make", "web", f"PYTHON={python}", "VENV=build/.venv-web"], cwd=ROOT, check=False)
    if done.returncode or not PAGE.exists():
        _fail(f"web app: `make web` failed with status {done.returncode} (see the lines above)")


def _fail(message: str) -> None:
    raise SystemExit(f"taiji: {message}")
