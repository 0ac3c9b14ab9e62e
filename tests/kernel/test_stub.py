"""The hand-written `_core.pyi` names what the compiled module has, with the same arguments.

mypy's stubtest does not take a nanobind function for a function, so nanobind's own stub is the other side.
"""

from __future__ import annotations

import ast
from pathlib import Path

from nanobind.stubgen import StubGen

import taiji
from taiji import _core

STUB = Path(taiji.__path__[-1]) / "_core.pyi"


def outline(text: str) -> dict[str, object]:
    return {name: entry for node in ast.parse(text).body for name, entry in _outline(node)}


def _outline(node: ast.stmt) -> list[tuple[str, object]]:
    match node:
        case ast.FunctionDef(
            name=name, decorator_list=[ast.Name(id="property") | ast.Attribute(attr="setter")]
        ):
            return [(name, "value")]
        case ast.FunctionDef(name=name, args=args):
            return [(name, [arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)])]
        case ast.ClassDef(name=name, body=body):
            return [(name, dict(entry for member in body for entry in _outline(member)))]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [(name, "value")]
        case _:
            return []


def test_the_stub_matches_the_module() -> None:
    generator = StubGen(module=_core)
    generator.put(_core)
    assert outline(STUB.read_text()) == outline(generator.get())
