"""Mutants of a Python file: one small change each to a comparison, an operator, a constant or a statement."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed file: the line of the change, the text before and after it, and the whole new source."""

    line: int
    before: str
    after: str
    source: str


def mutants(source: str) -> list[Mutant]:
    """Return every mutant of a Python source text, in the order of its lines."""
    lines = source.encode().split(b"\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    data = source.encode()
    found = []
    for node, changed in _changes(ast.parse(source)):
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[operator]
        text = ast.unparse(changed)
        if isinstance(changed, ast.expr):
            text = f"({text})"
        before = data[begin:end].decode()
        mutated = (data[:begin] + text.encode() + data[end:]).decode()
        found.append(Mutant(node.lineno, " ".join(before.split()), text, mutated))
    return sorted(found, key=lambda mutant: mutant.line)


def _changes(root: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, ast.expr | ast.stmt]]:
    """Yield pairs of a node and what replaces it; annotations, f-strings and assertions are left alone."""
    if isinstance(root, ast.JoinedStr | ast.Assert) or _is_type_checking(root) or _is_strict_zip(root):
        return
    if isinstance(root, ast.expr):
        yield from ((root, changed) for changed in _changed_expression(root))
    elif isinstance(root, ast.stmt):
        yield from ((root, changed) for changed in _changed_statement(root))
    if isinstance(root, ast.If | ast.While) and isinstance(root.test, ast.Name | ast.Call | ast.Attribute):
        yield root.test, ast.UnaryOp(ast.Not(), root.test)
    for name, value in ast.iter_fields(root):
        if name in ("annotation", "returns", "decorator_list", "type_comment"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_text(child):
                yield from _changes(child)


def _is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _is_strict_zip(node: ast.AST) -> bool:
    """Return whether a node is `strict=True` of zip, which is an assertion."""
    return isinstance(node, ast.keyword) and node.arg == "strict"


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _changed_expression(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Compare(ops=ops):
            for index, operator in enumerate(ops):
                changed = copy.deepcopy(node)
                changed.ops[index] = _COMPARISONS[type(operator)]()
                yield changed
        case ast.BinOp(op=operator) if type(operator) in _OPERATORS:
            changed = copy.deepcopy(node)
            changed.op = _OPERATORS[type(operator)]()
            yield changed
        case ast.BoolOp(op=operator):
            changed = copy.deepcopy(node)
            changed.op = ast.Or() if isinstance(operator, ast.And) else ast.And()
            yield changed
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.IfExp(test=test):
            changed = copy.deepcopy(node)
            changed.test = ast.UnaryOp(ast.Not(), test)
            yield changed
        case ast.Constant(value=bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(value=int() | float() as value):
            yield ast.Constant(value + 1)


def _changed_statement(node: ast.stmt) -> Iterator[ast.stmt]:
    match node:
        case ast.AugAssign(op=operator) if type(operator) in _OPERATORS:
            changed = copy.deepcopy(node)
            changed.op = _OPERATORS[type(operator)]()
            yield changed
        case ast.Return(value=value) if value is not None and not _is_none(value):
            yield ast.Return(ast.Constant(None))
        case ast.Raise() | ast.Expr(value=ast.Call()):
            yield ast.Pass()
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
