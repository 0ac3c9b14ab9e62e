"""The repository is consistent: documented commands exist, versions agree, public names are complete."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import pkgutil
import re
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

import taiji

ROOT = Path(__file__).parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
MAKEFILE = (ROOT / "Makefile").read_text()
TARGETS = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
PACKAGES = sorted(
    {"taiji", *(found.name for found in pkgutil.walk_packages(taiji.__path__, "taiji.") if found.ispkg)}
)


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", re.split(r"[\[<>=!~; ]", name)[0]).lower()


def commands(document: Path) -> list[str]:
    """The targets of `make` in a document's code."""
    text = document.read_text()
    code = re.findall(r"^```.*?^```", text, re.MULTILINE | re.DOTALL) + re.findall(r"`[^`\n]+`", text)
    return [target for part in code for target in re.findall(r"\bmake ([a-z][a-z-]*)", part)]


def test_the_readme_gives_the_commands() -> None:
    assert {"play", "test"} <= set(commands(ROOT / "README.md"))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_documented_commands_exist(document: Path) -> None:
    assert set(commands(document)) <= TARGETS


def test_every_target_explains_itself() -> None:
    phony = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    assert phony is not None
    explained = set(re.findall(r"^([a-z-]+):.*## \S", MAKEFILE, re.MULTILINE))
    assert set(phony[1].split()) == explained == TARGETS


def test_ci_runs_every_check() -> None:
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    assert "set -euo pipefail" in lines
    steps = [line for line in lines if line.startswith("make ")]
    tests = ["make test", "make test-slow"]
    assert steps == ["make check", *tests, "make coverage", "make sanitize", "make portable"]


def test_workflows_run_what_exists() -> None:
    workflows = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
    assert [path.stem for path in workflows] == ["docs", "publish", "tests", "wheels"]
    text = "".join(path.read_text() for path in workflows)
    assert set(re.findall(r"run: make ([a-z-]+)", text)) - {"docs"} <= TARGETS
    assert all((ROOT / name).exists() for name in re.findall(r"(?:run: |<\()((?:\.ci|tools)/[a-z-]+)", text))


def test_scripts_can_be_run() -> None:
    files = [path for folder in (".ci", "tools") for path in (ROOT / folder).iterdir() if path.is_file()]
    scripts = [path for path in files if path.read_bytes().startswith(b"#!")]
    assert [path.name for path in scripts if not os.access(path, os.X_OK)] == []


def test_the_package_states_the_version_alone() -> None:
    assert "version" in PYPROJECT["project"]["dynamic"]
    assert importlib.metadata.version("taiji") == taiji.__version__
    citation = (ROOT / "CITATION.cff").read_text()
    assert re.findall(r"^version: (.+)$", citation, re.MULTILINE) == [taiji.__version__]


def test_every_version_is_pinned() -> None:
    lines = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#")]
    assert [line for line in lines if not re.fullmatch(r"[a-z0-9-]+==[0-9][a-z0-9.]*", line)] == []
    assert lines == sorted(lines, key=lambda line: line.split("==")[0])
    extras = PYPROJECT["project"]["optional-dependencies"].values()
    base = PYPROJECT["project"]["dependencies"] + PYPROJECT["build-system"]["requires"]
    wanted = {*base, *(name for extra in extras for name in extra)}
    assert {normal(name) for name in wanted} <= {line.split("==")[0] for line in lines}


def test_the_changelog_has_a_place_for_the_next_change() -> None:
    headings = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[:2] == ["Unreleased", taiji.__version__]


def loaded(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and error.name.startswith("taiji"):
            raise
        pytest.skip(f"{error.name} is not installed")


@pytest.mark.parametrize("name", PACKAGES)
def test_public_names_are_complete(name: str) -> None:
    package = loaded(name)
    submodules = {found.name for found in pkgutil.iter_modules(package.__path__)}
    public = {
        key
        for key, value in vars(package).items()
        if not key.startswith("_") and key not in submodules | {"annotations", "TYPE_CHECKING"}
        if not isinstance(value, ModuleType) and getattr(value, "__module__", name).startswith("taiji")
    }
    declared = getattr(package, "__all__", [])
    assert public <= set(declared), "a public name is missing from __all__"
    assert [key for key in declared if not hasattr(package, key)] == []
    assert len(declared) == len(set(declared))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'taiji' has no attribute 'nonsense'"):
        _ = taiji.nonsense  # type: ignore[attr-defined]
