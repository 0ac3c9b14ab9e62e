"""The help of a command loads nothing that costs: counted in modules, which no busy machine can blur."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.waiting import PATIENCE_S

PROGRAM = """
import sys
from taiji.cli import program
try:
    program(sys.argv[1:], prog_name="taiji", standalone_mode=False)
finally:
    print("LOADED", len(sys.modules), *sys.modules)
"""
COSTLY = {"numpy", "rich", "textual", "asyncio", "multiprocessing", "sqlite3", "ssl", "taiji._core"}
MAX_MODULES = 200


@pytest.mark.parametrize("name", [None, "games", "show", "replay", "perft"])
def test_help_loads_little(name: str | None) -> None:
    arguments = [name, "--help"] if name else ["--help"]
    command = [sys.executable, "-c", PROGRAM, *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE_S)
    loaded = result.stdout.rsplit("LOADED ", 1)[1].split()
    count, modules = int(loaded[0]), set(loaded[1:])
    assert not modules & COSTLY
    layers = {module.split(".")[1] for module in modules if module.startswith("taiji.")}
    assert layers == {"cli"}
    assert count < MAX_MODULES
