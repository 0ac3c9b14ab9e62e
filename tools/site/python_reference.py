"""The reference of the Python packages: pages that mkdocstrings fills from the docstrings."""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from functools import cache
from itertools import pairwise
from types import ModuleType

import taiji

PACKAGES = (
    "rules", "notation", "kernel", "nets", "players", "arena", "analysis", "protocol", "render", "envs",
    "training",
)  # fmt: skip
"""The layers that are a library; the server and the command line have references of their own."""

INTRODUCTION = """\
# `taiji`

What `import taiji` offers; [the tutorial](../library.md) shows it at work. Everything is typed.

| name | |
|---|---|
"""


def pages() -> dict[str, str]:
    """Return the pages by name."""
    found: dict[str, str] = {}
    documented: set[str] = set()
    for package in PACKAGES:
        module = importlib.import_module(f"taiji.{package}")
        head = (module.__doc__ or "").strip().partition("\n")[0]
        names = [name for name in getattr(module, "__all__", []) if not name.startswith("_")]
        values = [getattr(module, name) for name in names]
        entries = [_entry(value, name, documented) for value, name in zip(values, names, strict=True)]
        documented |= {path for path in map(_path, values) if path}
        found[f"python-{package}.md"] = "\n".join([f"# `taiji.{package}`\n", f"{head}\n", *entries])
    return {"python.md": _front_door(documented), **found}


def _front_door(documented: set[str]) -> str:
    """Return the page of `import taiji`: a table, then the names that no other page has."""
    names = [name for name in taiji.__all__ if name != "__version__"]
    rows, entries = [], []
    for name in names:
        value = getattr(taiji, name)
        path = _path(value)
        summary = (inspect.getdoc(value) or "").partition("\n")[0] if path else _describe(value, name)
        rows.append(
            f"| {f'[`{name}`][{path}]' if path else f'`{name}`'} | {summary.replace('|', chr(92) + '|')} |"
        )
        if path and path not in documented:
            entries.append(_entry(value, name, documented))
    return INTRODUCTION + "\n".join([*rows, "", *entries])


def _path(value: object) -> str | None:
    """Return where a class or function is defined; None for a constant."""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if isinstance(module, str) and module.startswith("taiji") and isinstance(name, str):
        return f"{module}.{name}"
    return None


def _entry(value: object, name: str, documented: set[str]) -> str:
    path = _path(value)
    if path in documented:
        return f"## `{name}`\n\nSee [`{path}`][{path}].\n"
    if path is None:
        return f"## `{name}`\n\n{_describe(value, name)}\n"
    return f"::: {path}\n"


def _describe(value: object, name: str) -> str:
    """Return the sentence below the definition of a constant or a type; a module's own docstring."""
    if isinstance(value, ModuleType):
        return (inspect.getdoc(value) or "").partition("\n")[0]
    for module in [module for key, module in sys.modules.items() if key.startswith("taiji.")]:
        if getattr(module, name, None) is value and name in _constants(module):
            return _constants(module)[name]
    raise ValueError(f"{name}: no docstring (expected a text below its definition)")


@cache
def _constants(module: ModuleType) -> dict[str, str]:
    """Return the docstrings of the constants and types that a module defines."""
    found: dict[str, str] = {}
    for statement, after in pairwise(ast.parse(inspect.getsource(module)).body):
        if isinstance(statement, ast.Assign):
            target: ast.expr = statement.targets[0]
        elif isinstance(statement, ast.AnnAssign):
            target = statement.target
        else:
            continue
        text = after.value if isinstance(after, ast.Expr) else None
        if isinstance(target, ast.Name) and isinstance(text, ast.Constant) and isinstance(text.value, str):
            found[target.id] = " ".join(text.value.split())
    return found
