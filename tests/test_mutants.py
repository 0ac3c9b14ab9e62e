"""The mutation tool changes one thing at a time, and its finder imports the changed module."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from tools.mutants.coverage_map import CoverageMap
from tools.mutants.python_mutants import mutants
from tools.mutants.targets import ROOT, TARGETS
from tools.mutants.web_mutants import web_mutants

SOURCE = '''
"""A docstring with 1 < 2."""

def f(a: int | None, b=1):
    if a is None and b < 3:
        raise ValueError(f"{a + b}")
    total = a << 2
    total += -b
    return total if total else None
'''


def test_python_mutants() -> None:
    found = mutants(SOURCE)
    changes = {(mutant.line, mutant.after) for mutant in found}
    assert changes == {
        (4, "(2)"),
        (5, "(a is None or b < 3)"),
        (5, "(a is not None)"),
        (5, "(b <= 3)"),
        (5, "(4)"),
        (6, "pass"),
        (7, "(a >> 2)"),
        (7, "(3)"),
        (8, "total -= -b"),
        (8, "(b)"),
        (9, "return None"),
        (9, "(total if not total else None)"),
    }
    for mutant in found:
        assert ast.dump(ast.parse(mutant.source)) != ast.dump(ast.parse(SOURCE))


def test_web_mutants() -> None:
    source = "import x from 'y';\nconst a = b === 1 && c;\n  case 'end':\n    next.turn = null;\n"
    changes = {(mutant.line, mutant.after) for mutant in web_mutants(source)}
    assert changes == {
        (2, "const a = b !== 1 && c;"),
        (2, "const a = b === 2 && c;"),
        (2, "const a = b === 1 || c;"),
        (3, "case 'end-mutant':"),
        (4, "next.turn = ('mutant' as never);"),
        (4, ";"),
    }


@pytest.mark.parametrize("name", TARGETS)
def test_targets_exist(name: str) -> None:
    target = TARGETS[name]
    assert target.files()
    base = ROOT / "web" if target.is_web else ROOT
    assert all((base / test).exists() for test in (*target.tests, *target.ignored_tests))


def test_the_mutated_module_is_imported_instead(tmp_path: Path) -> None:
    mutated = tmp_path / "mutated.py"
    source = (ROOT / "src/taiji/rules/move_text.py").read_text()
    mutated.write_text(source.replace("MAX_MOVE_CHARS = 600", "MAX_MOVE_CHARS = 1"))
    environment = {
        "MUTANT_MODULE": "taiji.rules.move_text",
        "MUTANT_FILE": str(mutated),
        "PYTHONPATH": str(ROOT / "tools/mutants/site"),
    }
    command = [
        sys.executable,
        "-c",
        "from taiji.rules.move_text import MAX_MOVE_CHARS; print(MAX_MOVE_CHARS)",
    ]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert result.stdout == "1\n"


def test_a_survivor_meets_other_tests_the_quickest_first() -> None:
    """A game that is built once and cached runs its lines in one test only."""
    seconds = {"slow": 9.0, "chosen": 0.1, "quick": 1.0, "quicker": 0.5}
    assert CoverageMap({}, seconds).others(["chosen"], 2.0) == ["quicker", "quick"]
