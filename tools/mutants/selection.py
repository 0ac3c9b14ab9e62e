"""A pytest plugin that runs chosen tests in a chosen order, and notes the first that fails."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest


class Selection:
    """The tests to run; `killer` is the file that gets the name of the first failing one."""

    def __init__(self, tests: Sequence[str], killer: Path) -> None:
        self._places = {test: place for place, test in enumerate(tests)}
        self._killer = killer

    def files(self) -> list[str]:
        """Return the files of the tests: to collect them is much faster than to name each test."""
        return list(dict.fromkeys(test.partition("::")[0] for test in self._places))

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the chosen tests, in their order."""
        chosen = [item for item in items if item.nodeid in self._places]
        items[:] = sorted(chosen, key=lambda item: self._places[item.nodeid])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test that fails."""
        if report.failed:
            self._killer.write_text(report.nodeid)
