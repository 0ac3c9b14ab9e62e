"""The build backend, the metadata of the package and the checks of a release."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from tools import build_backend
from tools.package_metadata import absolute
from tools.release.contents import IN_WHEEL, check_metadata, check_names
from tools.release.running import Failure

ROOT = Path(__file__).parent.parent
SOURCE = "https://github.com/a/b"


def program(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def check_tools(folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run tools/check-tools where only the programs of a folder and those of the system are found."""
    path = f"{folder}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, **settings}
    command = [ROOT / "tools" / "check-tools"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_the_tools_of_this_machine_suffice(tmp_path: Path) -> None:
    done = check_tools(tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_old_tools_are_named_with_what_to_install(tmp_path: Path) -> None:
    program(tmp_path, "python3", "echo Python 3.9.18")
    program(tmp_path, "c++", "exit 1")
    program(tmp_path, "node", "echo v18.20.1")
    done = check_tools(tmp_path)
    assert done.returncode == 1
    python, compiler, node = done.stderr.splitlines()
    assert (
        python == "Python: python3 is 3.9 (expected 3.11 or newer; name another: make PYTHON=python3.12 play)"
    )
    assert compiler.startswith(
        "C++ compiler: c++ is missing or has no C++20 (expected GCC 12, Clang 14 or newer;"
    )
    assert node.startswith("Node.js: node is 18.20 (expected 20 or newer: https://nodejs.org;")


def test_python_2_is_too_old_not_missing(tmp_path: Path) -> None:
    program(tmp_path, "python2", "echo Python 2.7.18 >&2")
    done = check_tools(tmp_path, PYTHON="python2")
    assert done.stderr.startswith("Python: python2 is 2.7 (expected 3.11 or newer;")


def test_missing_tools_are_named(tmp_path: Path) -> None:
    done = check_tools(tmp_path, PYTHON="no-python", CXX="no-compiler", NODE="no-node")
    assert [line.partition(" (")[0] for line in done.stderr.splitlines()] == [
        "Python: no-python not found",
        "C++ compiler: no-compiler is missing or has no C++20",
        "Node.js: no-node not found",
    ]


def test_without_the_web_app_no_node_is_needed(tmp_path: Path) -> None:
    assert check_tools(tmp_path, NODE="no-node", WEB="").returncode == 0


def test_progress_shows_a_failure(tmp_path: Path) -> None:
    command = [ROOT / "tools" / "progress", "1", "Web app", "sh", "-c", "echo why; exit 3"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (3, "  Web app: failed\nwhy\n")


def test_a_build_without_a_compiler_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "no-compiler")
    with pytest.raises(SystemExit, match=r"^taiji: C\+\+ compiler: no-compiler not found \(expected GCC 12"):
        build_backend.build_wheel("out")


def test_a_build_with_an_old_python_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 18))
    with pytest.raises(SystemExit, match=r"^taiji: Python 3\.9: too old \(expected 3\.11 or newer"):
        runpy.run_path(str(ROOT / "tools" / "build_backend.py"))


def test_a_build_without_the_web_app_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(build_backend, "ROOT", tmp_path)
    monkeypatch.setattr(build_backend, "PAGE", tmp_path / "index.html")
    monkeypatch.setattr(build_backend.shutil, "which", lambda name: None if name == "npm" else name)
    with pytest.raises(
        SystemExit, match=r"^taiji: web app: not built, and npm is missing \(expected index.html"
    ):
        build_backend.build_sdist("out")


def test_the_readme_of_the_package_has_absolute_links() -> None:
    readme = absolute((ROOT / "README.md").read_text(), SOURCE, "1.0")
    check_metadata("readme", f"Name: taiji\n\n{readme}")
    assert f"]({SOURCE}/blob/v1.0/docs/README.md)" in readme


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("[a](docs/b.md#c)", f"[a]({SOURCE}/blob/v1/docs/b.md#c)"),
        ('<img src="docs/b.svg">', '<img src="https://raw.githubusercontent.com/a/b/v1/docs/b.svg">'),
        ("[a](https://c.d) [b](#e)", "[a](https://c.d) [b](#e)"),
    ],
)
def test_links(text: str, due: str) -> None:
    assert absolute(text, SOURCE, "1") == due


def test_a_relative_link_fails_the_check() -> None:
    with pytest.raises(Failure, match=r"the readme links to 'docs/a.md'"):
        check_metadata("a.whl", "Name: taiji\n\n[a](docs/a.md)")


@pytest.mark.parametrize("folder", ["static", "site"])
def test_a_wheel_without_web_app_or_documentation_fails_the_check(folder: str) -> None:
    names = [name for name in IN_WHEEL if folder not in name]
    with pytest.raises(Failure, match=rf"a.whl: taiji/server/{folder}/index.html is missing"):
        check_names("a.whl", names, IN_WHEEL)


@pytest.mark.parametrize(
    "name", ["taiji/__pycache__/a.pyc", "web/node_modules/a.js", "games.sqlite", "src/a.log"]
)
def test_a_stray_file_fails_the_check(name: str) -> None:
    with pytest.raises(Failure, match="does not belong into a release"):
        check_names("a.whl", [*IN_WHEEL, name], IN_WHEEL)
