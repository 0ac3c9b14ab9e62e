"""The built app: its size, and a lock file that works on every system."""

from __future__ import annotations

import gzip
import json

from tests.web.browser import ROOT

MAX_JAVASCRIPT_BYTES = 75_000


def test_the_scripts_stay_small() -> None:
    scripts = list((ROOT / "src/taiji/server/static/assets").glob("*.js"))
    assert scripts
    assert sum(len(gzip.compress(script.read_bytes())) for script in scripts) <= MAX_JAVASCRIPT_BYTES


def test_the_lock_file_names_no_address() -> None:
    assert '"resolved"' not in (ROOT / "web/package-lock.json").read_text()


def test_the_lock_file_is_whole() -> None:
    """Without a build tool's binary for another system, `npm ci` fails there."""
    packages = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]
    wanted = {name for package in packages.values() for name in package.get("optionalDependencies", {})}
    assert not {name for name in wanted if f"node_modules/{name}" not in packages}
