#!/usr/bin/env python3
"""Report names and phrases of the old vocabulary that are still, or again, in the repository.

The table is tools/vocabulary.toml. `tools/check_vocabulary.py [FILE...]` checks the named files, or the whole
checkout, prints one line per finding and exits with status 1 if there is one.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "tools" / "vocabulary.toml"
OURS = {"tools/vocabulary.toml", "tests/test_vocabulary.py", "CHANGELOG.md"}
"""Files that quote the old words on purpose."""
CODE = {".py", ".pyi", ".hpp", ".cpp", ".h", ".ts", ".js", ".svelte"}
PROSE = CODE | {".md", ".toml", ".json", ".css", ".html", ".txt", ""}
DATA = ("tests/perft/*", "tests/playthroughs/*", "**/package-lock.json", "constraints.txt", "LICENSE")

KINDS = ("used", "members", "defined")
"""What a rule of the table says of names: wherever they are, as members, or as defined here."""

_NOT_CODE = re.compile(r"//[^\n]*|/\*.*?\*/|<!--.*?-->|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_GAP = r"(?:[^\S\n]+|[^\S\n]*\n[^\S\n]*(?:(?:#|//|\*)[^\S\n]+)?)"
"""What stands for a space in a phrase: white space, also over the end of a line, but not of a paragraph."""


class Finding(NamedTuple):
    """An old word: where it stands, and what to say instead."""

    path: str
    line: int
    word: str
    say: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.word!r}: say {self.say}"


class Use(NamedTuple):
    """An identifier in a file; `owner` is the class that defines it, None if it is not a definition."""

    line: int
    name: str
    owner: str | None
    is_member: bool
    """Whether it is an attribute, a keyword argument, or defined in a class."""


# --- reading files


def identifiers(path: str, text: str) -> list[Use]:
    """Return every identifier of a file of code."""
    if path.endswith((".py", ".pyi")):
        return list(_Identifiers().collect(ast.parse(text)))
    code = _NOT_CODE.sub(lambda match: "\n" * match[0].count("\n"), text)
    return [
        Use(number, match[0], None, False)
        for number, line in enumerate(code.split("\n"), 1)
        for match in _IDENTIFIER.finditer(line)
    ]


class _Identifiers(ast.NodeVisitor):
    """Collects names, attributes, parameters, keywords and imports, with the class that defines them."""

    def __init__(self) -> None:
        self._uses: list[Use] = []
        self._owners = [""]

    def collect(self, tree: ast.AST) -> list[Use]:
        self.visit(tree)
        return self._uses

    def _add(
        self, node: ast.AST, name: str | None, *, defined: bool = False, owner: str = "", member: bool = False
    ) -> None:
        if name is not None:
            is_member = member or (defined and owner != "")
            self._uses.append(Use(getattr(node, "lineno", 1), name, owner if defined else None, is_member))

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._add(node, node.name, defined=True)
        self._owners.append(node.name)
        self.generic_visit(node)
        self._owners.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._add(node, node.name, defined=True, owner=self._owners[-1])
        self._owners.append("")
        self.generic_visit(node)
        self._owners.pop()

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_Name(self, node: ast.Name) -> None:
        self._add(node, node.id, defined=isinstance(node.ctx, ast.Store), owner=self._owners[-1])

    def visit_Attribute(self, node: ast.Attribute) -> None:
        own = isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name) and node.value.id == "self"
        owner = next((name for name in reversed(self._owners) if name), "")
        self._add(node, node.attr, defined=own, owner=owner, member=True)
        self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> None:
        self._add(node, node.arg, defined=True)
        self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        self._add(node.value, node.arg, member=True)
        self.generic_visit(node)

    def visit_alias(self, node: ast.alias) -> None:
        self._add(node, node.name.rpartition(".")[2])
        self._add(node, node.asname, defined=True)


# --- the table


@cache
def _glob(pattern: str) -> re.Pattern[str]:
    """Compile a glob: `*` stays in a folder, `**/` is any number of folders."""
    parts = re.split(r"(\*\*/|\*\*|\*)", pattern)
    kinds = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*"}
    return re.compile("".join(kinds.get(part, re.escape(part)) for part in parts))


def fits(path: str, patterns: Iterable[str]) -> bool:
    """Return whether a path matches one of some globs."""
    return any(_glob(pattern).fullmatch(path) for pattern in patterns)


@dataclass
class Vocabulary:
    """The table of old words; `allowed` counts how often each exception was needed."""

    table: dict[str, Any]
    allowed: dict[int, int] = field(default_factory=dict)

    def check(self, path: str, text: str) -> Iterator[Finding]:
        """Find the old words of one file."""
        if path in OURS or fits(path, DATA):
            return
        suffix = Path(path).suffix
        found = self._names(path, identifiers(path, text)) if suffix in CODE else iter(())
        prose = self._phrases(path, text) if suffix in PROSE else iter(())
        seen = set()
        for each in (*found, *prose):
            if each not in seen and not self._allows(each):
                yield each
            seen.add(each)

    def _names(self, path: str, uses: list[Use]) -> Iterator[Finding]:
        by_name: dict[str, list[Use]] = {}
        for use in uses:
            by_name.setdefault(use.name, []).append(use)
        for rule in self.table.get("names", []):
            if fits(path, rule["files"]):
                old = {name.rpartition(".")[2] for kind in KINDS for name in rule.get(kind, {})}
                for name in old & by_name.keys():
                    for use in by_name[name]:
                        yield from _name_findings(path, use, rule)
        for rule in self.table.get("patterns", []):
            if fits(path, rule["files"]):
                for name in filter(re.compile(rule["match"]).search, by_name):
                    yield from (Finding(path, use.line, name, rule["say"]) for use in by_name[name])

    def _phrases(self, path: str, text: str) -> Iterator[Finding]:
        for rule in self.table.get("phrases", []):
            if fits(path, rule.get("files", ["**"])):
                for match in _phrase(rule["match"]).finditer(text):
                    line = text.count("\n", 0, match.start()) + 1
                    yield Finding(path, line, " ".join(match[0].split()), rule["say"])

    def gone(self, paths: Iterable[str]) -> Iterator[Finding]:
        """Find files that still have their old name."""
        old = {path for rule in self.table.get("gone", []) for path in rule["files"]}
        yield from (
            Finding(path, 1, Path(path).name, "the new name") for path in sorted(old.intersection(paths))
        )

    def _allows(self, finding: Finding) -> bool:
        for index, rule in enumerate(self.table.get("allow", [])):
            if fits(finding.path, rule["files"]) and re.fullmatch(rule["word"], finding.word, re.IGNORECASE):
                self.allowed[index] = self.allowed.get(index, 0) + 1
                return True
        return False

    def unused(self) -> Iterator[Finding]:
        """Find exceptions that nothing needs."""
        for index, rule in enumerate(self.table.get("allow", [])):
            if index not in self.allowed:
                yield Finding(TABLE.name, 1, rule["word"], "nothing: this exception is not needed any more")


def _name_findings(path: str, use: Use, rule: dict[str, Any]) -> Iterator[Finding]:
    keys = {"used": [use.name]}
    if use.is_member:
        keys["members"] = [use.name]
    if use.owner is not None:
        keys["defined"] = [use.name, f"{use.owner}.{use.name}"]
    for kind, names in keys.items():
        for name in names:
            if name in rule.get(kind, {}):
                yield Finding(path, use.line, name, rule[kind][name])


@cache
def _phrase(text: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{text.replace(' ', _GAP)})(?!\w)", re.IGNORECASE)


# --- the program


def files_of(root: Path) -> list[str]:
    """List the files of a checkout that git does not ignore."""
    command = ["git", "-C", str(root), "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return sorted(path for path in set(listed) if (root / path).is_file())


def check_all(root: Path, paths: Iterable[str] | None = None) -> list[Finding]:
    """Check every file of a checkout, or those named."""
    vocabulary = Vocabulary(tomllib.loads(TABLE.read_text()))
    every = files_of(root)
    chosen = every if paths is None else list(paths)
    found = list(vocabulary.gone(chosen))
    for path in chosen:
        if Path(path).suffix in PROSE and not fits(path, DATA):
            found += vocabulary.check(path, (root / path).read_text(errors="replace"))
    return found if paths is not None else [*found, *vocabulary.unused()]


def main() -> int:
    """Print every finding."""
    paths = [str(Path(name).resolve().relative_to(ROOT)) for name in sys.argv[1:]]
    found = check_all(ROOT, paths or None)
    for each in found:
        print(each)
    if found:
        print(f"{len(found)} old words (tools/vocabulary.toml)", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
