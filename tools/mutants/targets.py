"""The files that `make mutants` changes, and the tests that must notice."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Target:
    """Source files by glob, and the test paths that are run against their mutants."""

    sources: tuple[str, ...]
    tests: tuple[str, ...]
    ignored_tests: tuple[str, ...] = ()
    """Long random tests: slow under coverage, and not to be needed."""
    data: tuple[str, ...] = ()
    """Files that hold measured values only, which no test can know better."""
    is_web: bool = False

    def files(self) -> list[Path]:
        """Return the source files; raise ValueError for a glob that matches nothing."""
        found: list[Path] = []
        for glob in self.sources:
            matches = sorted(path for path in ROOT.glob(glob) if path.name != "__init__.py")
            if not matches:
                raise ValueError(f"{glob}: no such file")
            found += matches
        data = {path for glob in self.data for path in ROOT.glob(glob)}
        return [path for path in found if path not in data]


TARGETS = {
    "rules": Target(
        ("src/taiji/rules/**/*.py",),
        ("tests/rules",),
        ("tests/rules/test_against_oracle.py", "tests/rules/test_generated.py"),
        data=("src/taiji/rules/openings/taiji_*.py",),
    ),
    "notation": Target(
        ("src/taiji/notation/**/*.py",), ("tests/notation",), ("tests/notation/test_record_stream.py",)
    ),
    "clocks": Target(("src/taiji/server/domain/clocks.py",), ("tests/server/test_clocks.py",)),
    "decisions": Target(
        ("src/taiji/server/domain/commands.py",),
        tuple(f"tests/server/test_{idea}.py" for idea in ("commands", "offers", "matches", "table_clocks")),
    ),
    "web": Target(("web/src/play/reduce.ts",), ("test/reduce.test.ts",), is_web=True),
}
