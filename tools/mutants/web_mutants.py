"""Mutants of TypeScript files, made by patterns on single lines, and vitest in a copy of `web/`."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tools.mutants.python_mutants import Mutant
from tools.mutants.targets import ROOT

_TIMEOUT_S = 300
_PATTERNS = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"===", "!=="),
        (r"!==", "==="),
        (r"&&", "||"),
        (r"\|\|", "&&"),
        (r"\?\?", "&&"),
        (r" < ", " <= "),
        (r" > ", " >= "),
        (r" \+ ", " - "),
        (r" - ", " + "),
        (r"\btrue\b", "false"),
        (r"\bfalse\b", "true"),
        (r"(?<![|] )\bnull\b(?![>\]])", "('mutant' as never)"),
        (r"\b0\b", "1"),
        (r"\b1\b", "2"),
        (r"(?<=case )'([^']+)'", r"'\1-mutant'"),
        (r"(?<== )'([^']+)'", r"('\1-mutant' as never)"),
        (r"(?<=if )\((.+?)\)(?= [a-z{])", r"(!(\1))"),
        (r"\.\.\.[\w.]+, ", ""),
        (r"^(\s*)(?:next|\w+\.\w+)[\w.]* = [^;]+;$", r"\1;"),
        (r"^(\s*)break;$", r"\1"),
    )
)
_SKIPPED = re.compile(r"^\s*(?:import |\*|/\*\*|//|export type|export interface)")


def web_mutants(source: str) -> Iterator[Mutant]:
    """Yield every mutant of a TypeScript source text, in the order of its lines."""
    lines = source.split("\n")
    for index, line in enumerate(lines):
        if _SKIPPED.match(line):
            continue
        for pattern, replacement in _PATTERNS:
            for match in pattern.finditer(line):
                changed = line[: match.start()] + match.expand(replacement) + line[match.end() :]
                mutated = "\n".join([*lines[:index], changed, *lines[index + 1 :]])
                yield Mutant(index + 1, line.strip(), changed.strip(), mutated)


class WebCopy:
    """A copy of `web/` in which files can be changed; packages and Python sources are linked."""

    def __init__(self, folder: Path) -> None:
        self._web = folder / "web"
        shutil.copytree(ROOT / "web", self._web, ignore=shutil.ignore_patterns("node_modules"))
        (self._web / "node_modules").symlink_to(ROOT / "web" / "node_modules")
        (folder / "src").symlink_to(ROOT / "src")

    def passes(self, path: Path, source: str, tests: tuple[str, ...]) -> bool:
        """Return whether the tests pass with this text in place of a file; put the file back afterwards."""
        file = self._web / path.relative_to(ROOT / "web")
        original = file.read_text()
        file.write_text(source)
        try:
            command = ["node_modules/.bin/vitest", "run", "--bail=1", *tests]
            finished = subprocess.run(
                command, cwd=self._web, capture_output=True, timeout=_TIMEOUT_S, check=False
            )
        except subprocess.TimeoutExpired:
            return False
        finally:
            file.write_text(original)
        return finished.returncode == 0
