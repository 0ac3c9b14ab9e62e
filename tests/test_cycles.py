"""No module needs itself to be imported: imports at the top of modules form no cycle."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCES = Path(__file__).parent.parent / "src"
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


def modules(folder: Path) -> dict[str, ast.Module]:
    """Return every module of a folder by its name; that of a package is its `__init__`."""
    found = {}
    for path in folder.rglob("*.py"):
        parts = path.relative_to(folder).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = ast.parse(path.read_text())
    return found


def imports_at_load(node: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the imports that run when a module is loaded: not those in functions or for type checkers."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield node
    is_for_checkers = isinstance(node, ast.If) and getattr(node.test, "id", None) == "TYPE_CHECKING"
    if isinstance(node, FUNCTIONS | ast.expr) or is_for_checkers:
        return
    for child in ast.iter_child_nodes(node):
        yield from imports_at_load(child)


def imported(tree: ast.Module, known: set[str]) -> set[str]:
    """Return the modules among the known ones that a module imports."""
    names: set[str] = set()
    for node in imports_at_load(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        else:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= inner & known or {str(node.module)}
    return names & known


def check(folder: Path) -> int:
    """Return the number of modules; raise `CycleError` if some import each other."""
    found = modules(folder)
    graph = {name: imported(tree, set(found)) - {name} for name, tree in found.items()}
    return len(list(TopologicalSorter(graph).static_order()))


def test_no_module_imports_itself_by_others() -> None:
    assert check(SOURCES) > 500


def test_a_cycle_is_found(tmp_path: Path) -> None:
    package = tmp_path / "one"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "first.py").write_text("from one import second\n")
    (package / "second.py").write_text("def late():\n    from one.first import x\n")
    assert check(tmp_path) == 3
    (package / "second.py").write_text("try:\n    from one.first import x\nexcept ImportError:\n    x = 1\n")
    with pytest.raises(CycleError):
        check(tmp_path)
