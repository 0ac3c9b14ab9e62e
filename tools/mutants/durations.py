"""A pytest plugin that writes the seconds of each test to the file that MUTANT_DURATIONS names."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

_seconds: dict[str, float] = {}


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add the time of a phase to that of its test."""
    _seconds[report.nodeid] = _seconds.get(report.nodeid, 0.0) + report.duration


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the file, in the controlling process only."""
    if not hasattr(session.config, "workerinput"):
        Path(os.environ["MUTANT_DURATIONS"]).write_text(json.dumps(_seconds))
