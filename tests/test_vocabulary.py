"""The script by which `make check` finds names and phrases of the old vocabulary sees each kind of them."""

from __future__ import annotations

import importlib.util
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / "tools" / "check_vocabulary.py"


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_vocabulary", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


checker = load()
TABLE: dict[str, Any] = {
    "names": [
        {
            "files": ["src/**/*.py", "core/*"],
            "used": {"kernel_of": "get_kernel", "HotList": "Shortlist"},
            "defined": {"found": "result", "State.over": "is_over"},
        }
    ],
    "patterns": [{"files": ["**"], "match": "^MOST_", "say": "MAX_"}],
    "phrases": [{"match": "so many moves", "say": "N moves"}],
    "gone": [{"files": ["src/old.py"]}],
    "allow": [{"files": ["src/allowed.py"], "word": "kernel_of", "reason": "a test"}],
}


def words(path: str, text: str) -> list[str]:
    return [finding.word for finding in checker.Vocabulary(TABLE).check(path, text)]


def test_every_exception_has_a_reason() -> None:
    table = tomllib.loads((ROOT / "tools" / "vocabulary.toml").read_text())
    assert [rule for rule in table.get("allow", []) if not rule.get("reason")] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from a import kernel_of", ["kernel_of"]),
        ("x = game.kernel_of", ["kernel_of"]),
        ("f(kernel_of=1)", ["kernel_of"]),
        ("def f(found): pass", ["found"]),
        ("print(found)", []),
        ("class State:\n  over: bool", ["State.over"]),
        ("class State:\n  def over(self): pass", ["State.over"]),
        ("class State:\n  def f(self):\n    self.over = 1", ["State.over"]),
        ("class Hand:\n  over: bool", []),
        ("MOST_CELLS = 1", ["MOST_CELLS"]),
        ("x = 'kernel_of'  # kernel_of", []),
        ("# after so\n# many moves", ["so # many moves"]),
        ('"""After so many\n  moves."""', ["so many moves"]),
    ],
)
def test_what_is_seen_in_python(text: str, expected: list[str]) -> None:
    assert words("src/taiji/a.py", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HotList list;", ["HotList"]),
        ("// a HotList", []),
        ("/* HotList\n */ int x;", []),
        ('puts("HotList");', []),
        ("HotListing list;", []),
        ("// after so many\n// moves", ["so many // moves"]),
    ],
)
def test_what_is_seen_in_other_languages(text: str, expected: list[str]) -> None:
    assert words("core/a.hpp", text) == expected


def test_a_rule_holds_only_for_its_files() -> None:
    assert words("web/src/a.ts", "HotList") == []
    assert words("docs/a.md", "kernel_of, so many moves") == ["so many moves"]


def test_an_old_file_is_seen() -> None:
    gone = checker.Vocabulary(TABLE).gone(["src/old.py", "src/new.py"])
    assert [finding.path for finding in gone] == ["src/old.py"]


def test_an_exception_is_allowed_and_reported_once_it_is_not_needed() -> None:
    vocabulary = checker.Vocabulary(TABLE)
    assert [finding.word for finding in vocabulary.unused()] == ["kernel_of"]
    assert list(vocabulary.check("src/allowed.py", "kernel_of()")) == []
    assert list(vocabulary.unused()) == []


@pytest.mark.parametrize(
    ("path", "pattern", "expected"),
    [
        ("core/a.hpp", "core/*", True),
        ("core/b/a.hpp", "core/*", False),
        ("src/a.py", "src/**/*.py", True),
        ("src/b/c/a.py", "src/**/*.py", True),
        ("src/a.pyi", "src/**/*.py", False),
    ],
)
def test_globs(path: str, pattern: str, expected: bool) -> None:
    assert checker.fits(path, [pattern]) is expected
