"""What differs between operating systems is in one header of the core and in one module of the package."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CORE = [path for path in sorted((ROOT / "core").rglob("*.?pp")) if "wasm" not in path.parts]
PLATFORM_HEADER = "core/platform.hpp"
LOADER = "core/dispatch/library.hpp"
"""Loads the core of a processor level; it is not part of the core."""
OTHERS = {"Python.h", "cpuid.h", "immintrin.h", "wasm_simd128.h"}
"""Headers that every compiler of the core has on every system: of Python, and of the processor."""
POSIX_MODULES = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"}
SYSTEM_MODULE = "src/taiji/arena/system.py"


def system_headers(text: str) -> list[str]:
    """Return the headers that are neither of the standard library, nor nanobind's, nor of the processor."""
    headers = re.findall(r"#\s*include <([^>]+)>", text)
    return [name for name in headers if not (re.fullmatch(r"[a-z_]+|nanobind/.+", name) or name in OTHERS)]


def posix_imports(text: str) -> set[str]:
    """Return the modules that only POSIX has and that a module imports, at its top or in a function."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found & POSIX_MODULES


@pytest.mark.parametrize("path", CORE, ids=lambda path: path.name)
def test_only_the_platform_header_includes_headers_of_a_system(path: Path) -> None:
    text = path.read_text()
    if path.relative_to(ROOT).as_posix() in {PLATFORM_HEADER, LOADER}:
        assert system_headers(text) != []
    else:
        assert system_headers(text) == []
    if path.relative_to(ROOT).as_posix() != PLATFORM_HEADER:
        assert "__int128" not in text


def test_the_platform_header_knows_windows() -> None:
    for name in (PLATFORM_HEADER, LOADER):
        assert "defined(_WIN32)" in (ROOT / name).read_text()


def test_only_one_module_imports_what_only_posix_has() -> None:
    files = sorted((ROOT / "src" / "taiji").rglob("*.py"))
    found = {path.relative_to(ROOT).as_posix() for path in files if posix_imports(path.read_text())}
    assert found == {SYSTEM_MODULE}


@pytest.mark.parametrize("text", ["#include <sys/mman.h>", "#include <unistd.h>", "# include <windows.h>"])
def test_a_header_of_a_system_is_seen(text: str) -> None:
    assert len(system_headers(text)) == 1


def test_an_import_in_a_function_is_seen() -> None:
    assert posix_imports("def f():\n  from resource import getrlimit") == {"resource"}
