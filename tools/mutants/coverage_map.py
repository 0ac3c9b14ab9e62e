"""Which tests execute which lines: one run of a target's tests under coverage, with a context per test."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from coverage import CoverageData
from tools.mutants.targets import ROOT, Target

_CONFIGURATION = "[run]\nsource = taiji\nbranch = false\n"


@dataclass(frozen=True, slots=True)
class CoverageMap:
    """Tests by file and line, and the seconds that each test takes."""

    tests_by_line: dict[Path, dict[int, frozenset[str]]]
    seconds: dict[str, float]

    def tests(self, path: Path, line: int) -> list[str]:
        """Return the tests that execute a line, the quickest first.

        A line within a statement counts as the last executed line before it. A line that runs at import
        belongs to no test: all tests are returned of the test files that execute anything of the file.
        """
        by_line = self.tests_by_line.get(path, {})
        executed = max((known for known in by_line if known <= line), default=0)
        found = by_line.get(executed, frozenset())
        if "" in found:
            users = {test.partition("::")[0] for tests in by_line.values() for test in tests}
            found = frozenset(test for test in self.seconds if test.partition("::")[0] in users)
        return sorted(found - {""}, key=lambda test: (self.seconds.get(test, 0.0), test))

    def others(self, chosen: list[str], seconds: float) -> list[str]:
        """Return other tests, the quickest first, that take this long together.

        A line may run in one test only, because its result is cached, and yet matter to many.
        """
        rest = sorted(self.seconds.keys() - set(chosen), key=lambda test: (self.seconds[test], test))
        sums = accumulate(self.seconds[test] for test in rest)
        return [test for test, total in zip(rest, sums, strict=True) if total <= seconds]

    def all_tests(self) -> list[str]:
        """Return all tests that execute anything of the target's files."""
        lines = (tests for by_line in self.tests_by_line.values() for tests in by_line.values())
        return sorted(frozenset().union(*lines) - {""})


def measure(target: Target, jobs: int) -> CoverageMap:
    """Run the tests of a target; raise ValueError if they fail without any mutant."""
    with tempfile.TemporaryDirectory() as folder:
        configuration, data_file, durations = (Path(folder, name) for name in ("rc", "data", "durations"))
        configuration.write_text(_CONFIGURATION)
        environment = {**os.environ, "COVERAGE_FILE": str(data_file), "MUTANT_DURATIONS": str(durations)}
        options = ["-q", "-n", str(jobs), "-p", "no:cacheprovider", "-p", "tools.mutants.durations"]
        options += [f"--ignore={path}" for path in target.ignored_tests]
        options += ["--cov", f"--cov-config={configuration}", "--cov-context=test", "--cov-report="]
        command = [sys.executable, "-m", "pytest", *options, *target.tests]
        if subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode:
            raise ValueError(f"the tests fail without a mutant: {' '.join(target.tests)}")
        data = CoverageData(str(data_file))
        data.read()
        by_file = {}
        for path in target.files():
            by_line = data.contexts_by_lineno(str(path))
            by_file[path] = {
                line: frozenset(context.rpartition("|")[0] for context in contexts)
                for line, contexts in by_line.items()
            }
        return CoverageMap(by_file, json.loads(durations.read_text()))
